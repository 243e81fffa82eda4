Feature: Stealing
  When a tile may be taken from another player, and which one.

  @stealing.exact @case=exact-total-steals
  Scenario: A total of exactly its number steals an opponent's top tile
    Given the grill shows 21 to 23 25 to 36
    And Ann owns nothing
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
    And Ann stops and steals from Bob
    Then Ann owns 24

  @stealing.exact @case=higher-total-refused
  Scenario: A total above its number does not steal a tile
    Given the grill shows 21 to 23 25 to 36
    And Ann owns nothing
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 4 5 W W W W | W          |
      | 1 3 3 W         | 3          |
    And Ann stops and steals from Bob
    Then this is refused

  @stealing.exact @case=one-above-refused
  Scenario: One above is not exact, even with the exact tile gone
    Question 18.

    Given the grill shows 22 30
    And Ann owns nothing
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 5 W W W W W | W          |
    And Ann stops and steals from Bob
    Then this is refused

  @stealing.exact @case=question-18
  Scenario: With a total of 25 and an opponent's 24 the lower tile of the grill is taken
    Question 18.

    Given the grill shows 22 30
    And Ann owns nothing
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 W W W W W | W          |
    And Ann stops and takes 22
    Then Ann owns 22

  @stealing.exact @case=lower-total-refused
  Scenario: A total below its number does not steal a tile
    Given the grill shows 21 to 23 25 to 36
    And Ann owns nothing
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 4 4 5       | 4          |
    And Ann stops and steals from Bob
    Then this is refused

  @stealing.exact @case=far-above-refused
  Scenario: A total of 38 does not steal the 36
    Question 13.

    Given the grill shows 22 31 34
    And Ann owns nothing
    And Bob owns 36
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 W W W W | W          |
      | 2 5 5 5         | 5          |
      | 3               | 3          |
    And Ann stops and steals from Bob
    Then this is refused

  @stealing.exact @case=right-opponent
  Scenario: The total tells which opponent can be robbed
    Given the grill shows 21 to 23 26 to 36
    And Ann owns nothing
    And Bob owns 25
    And Cas owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 3 3 3 W       | 3          |
    And Ann stops and steals from Cas
    Then Ann owns 24

  @stealing.exact @case=wrong-opponent
  Scenario: An opponent who shows another tile can't be robbed
    Given the grill shows 21 to 23 26 to 36
    And Ann owns nothing
    And Bob owns 25
    And Cas owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 4 5       | 3          |
    And Ann stops and steals from Bob
    Then this is refused

  @stealing.exact @case=empty-stack
  Scenario: An opponent without tiles can't be robbed
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
    And Ann stops and steals from Bob
    Then this is refused

  @stealing.top-only @case=covered-tile-is-safe
  Scenario: A covered tile can't be stolen
    Given the grill shows 21 to 23 25 to 27 29 to 36
    And Ann owns nothing
    And Bob owns 24 28
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
    And Ann stops and steals from Bob
    Then this is refused

  @stealing.top-only @case=figure-5-top
  Scenario: The tile that covers a stack can be stolen
    Rulebook, figure 5.

    Given the grill shows 21 to 23 25 to 27 29 to 36
    And Ann owns nothing
    And Bob owns 28 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 3 3 3 W       | 3          |
    And Ann stops and steals from Bob
    Then Ann owns 24

  @stealing.top-only @case=figure-5-covered
  Scenario: A newly taken tile keeps the one below it safe
    Rulebook, figure 5.

    Given the grill shows 21 to 23 25 to 36
    And Ann owns nothing
    And Bob owns 24
    When Bob rolls
      | dice            | sets aside |
      | 1 2 3 4 W W W W | W          |
      | 2 3 4 4         | 4          |
    And Bob stops and takes 28
    And Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
    And Ann stops and steals from Bob
    Then this is refused

  @stealing.top-only @case=only-the-top-tile-goes
  Scenario: The rest of the stack stays with its owner
    Given the grill shows 21 to 23 25 to 27 29 31 to 36
    And Ann owns nothing
    And Bob owns 28 30 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 3 3 3 W       | 3          |
    And Ann stops and steals from Bob
    Then Bob owns 28 30

  @stealing.worm-needed @case=no-worm-no-steal
  Scenario: Without a worm the exact tile can't be stolen
    Given the grill shows 21 to 24 26 to 36
    And Ann owns nothing
    And Bob owns 25
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 4 4 W | 4          |
      | 1 3 3 3         | 3          |
    And Ann stops and steals from Bob
    Then this is refused

  @stealing.worm-needed @case=fives-steal-nothing
  Scenario: The 5s do not stand in for a worm when stealing
    Given the grill shows 21 to 31 33 to 36
    And Ann owns nothing
    And Bob owns 32
    When Ann rolls
      | dice            | sets aside |
      | 1 3 4 5 5 5 5 W | 5          |
      | 4 4 4 5         | 4          |
    And Ann stops and steals from Bob
    Then this is refused

  @stealing.worm-needed @case=one-worm-steals
  Scenario: A single worm is enough to steal
    Given the grill shows 21 22 24 to 36
    And Ann owns nothing
    And Bob owns 23
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 2 3 4 4 4 4 5   | 4          |
      | 2 4 5           | 2          |
    And Ann stops and steals from Bob
    Then Ann owns 23

  @stealing.opponents-only @case=not-from-oneself
  Scenario: Nobody steals from the own stack
    Given the grill shows 21 to 23 25 27 to 36
    And Ann owns 24
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 3 3 3 W       | 3          |
    And Ann stops and steals from Ann
    Then this is refused

  @stealing.opponents-only @case=any-opponent
  Scenario Outline: Any opponent can be robbed, wherever they sit
    Given the grill shows 21 to 23 26 to 36
    And Ann owns nothing
    And Bob owns nothing
    And Cas owns 24
    And Dee owns nothing
    When <player> rolls
      | dice            | sets aside |
      | 1 2 3 3 4 W W W | W          |
      | 1 3 3 3 5       | 3          |
    And <player> stops and steals from Cas
    Then <player> owns 24

    Examples:
      | player |
      | Ann    |
      | Bob    |
      | Dee    |

  @stealing.optional @case=steal-past-the-grill
  Scenario: A steal may be chosen although the grill offers a lower tile
    Question 2.

    Given the grill shows 21 24 30
    And Ann owns nothing
    And Bob owns 25
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 W W | W          |
      | 2 3 4 5 5 5     | 5          |
    And Ann stops and steals from Bob
    Then Ann owns 25

  @stealing.optional @exact-on-opponent=choice @case=question-2-lower
  Scenario: Instead of stealing the 25 the player may take the 24
    Question 2.

    Given the grill shows 21 24 30
    And Ann owns nothing
    And Bob owns 25
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 5 W W | W          |
      | 1 2 5 5 5 W     | 5          |
    And Ann stops and takes 24
    Then Ann owns 24

  @stealing.optional @exact-on-opponent=choice @case=figure-4e
  Scenario: The 25 of the grill may be taken with the 26 open to a steal
    Rulebook, figure 4e.

    Given the grill shows 21 to 25 27 to 36
    And Ann owns nothing
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 5 W W W W | W          |
      | 1 2 3 3         | 3          |
    And Ann stops and takes 25
    Then Ann owns 25

  @stealing.optional @exact-on-opponent=choice @case=victim-keeps-it
  Scenario: Who takes the lower tile leaves the opponent's tile alone
    Given the grill shows 21 to 25 27 to 36
    And Ann owns nothing
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 W W W W | W          |
      | 2 3 3 4         | 3          |
    And Ann stops and takes 25
    Then Bob owns 26

  @stealing.optional @exact-on-opponent=steal @case=question-2-lower-refused
  Scenario: While the 25 can be stolen the 24 is closed
    Question 2.

    Given the grill shows 21 24 30
    And Ann owns nothing
    And Bob owns 25
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 5 W W | W          |
      | 1 2 5 5 5 W     | 5          |
    And Ann stops and takes 24
    Then this is refused

  @stealing.optional @exact-on-opponent=steal @case=figure-4e-refused
  Scenario: While the 26 can be stolen the 25 is closed
    Rulebook, figure 4e, played the strict way.

    Given the grill shows 21 to 25 27 to 36
    And Ann owns nothing
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 3 4 5 W W W W | W          |
      | 3 3 5 W         | 3          |
    And Ann stops and takes 25
    Then this is refused

  @stealing.optional @case=covered-tile-closes-nothing
  Scenario: A covered exact tile does not close the grill
    Given the grill shows 21 to 23 25 to 27 29 to 36
    And Ann owns nothing
    And Bob owns 24 28
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
    And Ann stops and takes 23
    Then Ann owns 23

  @stealing.out-of-grill-reach @case=question-19
  Scenario: A steal is open although the total is below every tile of the grill
    Question 19.

    Given the grill shows 26 to 36
    And Ann owns nothing
    And Bob owns 22
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 4 5 W | 4          |
      | 1 2 3 W W       | W          |
    And Ann stops and steals from Bob
    Then Ann owns 22

  @stealing.out-of-grill-reach @case=figure-4b
  Scenario: A total of 21 steals the 21
    Rulebook, figure 4b.

    Given the grill shows 22 to 36
    And Ann owns nothing
    And Bob owns 21
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 2 3 3 W       | 3          |
    And Ann stops and steals from Bob
    Then Ann owns 21

  @stealing.out-of-grill-reach @case=one-high-tile-left
  Scenario: With only the 36 left on the grill stealing goes on
    Given the grill shows 36
    And Ann owns nothing
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 4 5       | 3          |
    And Ann stops and steals from Bob
    Then Ann owns 24

  @stealing.out-of-grill-reach @case=steal-at-a-forced-end
  Scenario: A steal saves a turn that has run out of dice
    Given the grill shows 26 to 36
    And Ann owns nothing
    And Bob owns 22
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 W W | W          |
      | 2 2 2 2 3 4     | 2          |
      | 1 4             | 1          |
      | 3               | 3          |
    And Ann stops and steals from Bob
    Then Ann owns 22

  @stealing.uncovers @case=next-tile-can-be-stolen
  Scenario: The tile below a stolen one can be stolen next
    Question 22.

    Given the grill shows 21 to 23 25 to 27 29 to 36
    And Ann owns 24 28
    And Bob owns nothing
    And Cas owns nothing
    When Bob rolls
      | dice            | sets aside |
      | 1 2 3 5 W W W W | W          |
      | 1 2 4 4         | 4          |
    And Bob stops and steals from Ann
    And Cas rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 2 3 3 3       | 3          |
    And Cas stops and steals from Ann
    Then Cas owns 24

  @stealing.uncovers @case=below-remains
  Scenario: A steal leaves the tile below on top
    Question 22.

    Given the grill shows 21 to 23 25 to 27 29 to 36
    And Ann owns 24 28
    And Bob owns nothing
    When Bob rolls
      | dice            | sets aside |
      | 1 2 3 4 W W W W | W          |
      | 2 3 4 4         | 4          |
    And Bob stops and steals from Ann
    Then Ann owns 24

  @stealing.uncovers @case=uncovered-tile-still-needs-its-own-total
  Scenario: The uncovered tile is not had for the number of the stolen one
    Given the grill shows 21 to 23 25 to 27 29 to 36
    And Ann owns 24 28
    And Bob owns nothing
    And Cas owns nothing
    When Bob rolls
      | dice            | sets aside |
      | 1 2 3 5 W W W W | W          |
      | 1 2 4 4         | 4          |
    And Bob stops and steals from Ann
    And Cas rolls
      | dice            | sets aside |
      | 1 2 3 5 W W W W | W          |
      | 1 2 4 4         | 4          |
    And Cas stops and steals from Ann
    Then this is refused

  @stealing.uncovers @case=uncovered-tile-is-returned
  Scenario: The robbed player who then fails gives back the uncovered tile
    Given the grill shows 21 to 23 25 to 27 29 31 to 36
    And Ann owns 30 24 28
    And Bob owns nothing
    When Bob rolls
      | dice            | sets aside |
      | 2 3 4 5 W W W W | W          |
      | 3 4 4 5         | 4          |
    And Bob stops and steals from Ann
    And Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 3 4 5 W | W          |
      | 1 2 3 4 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then Ann owns 30

  @stealing.steal-back @steal-back=allowed @case=steal-back-allowed
  Scenario: The robbed player may steal the tile back at once
    Given the grill shows 21 to 23 25 to 36
    And Ann owns nothing
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 3 3 3 W       | 3          |
    And Ann stops and steals from Bob
    And Bob rolls
      | dice            | sets aside |
      | 1 2 4 5 W W W W | W          |
      | 1 2 4 W         | 4          |
    And Bob stops and steals from Ann
    Then Bob owns 24

  @stealing.steal-back @steal-back=barred @case=steal-back-barred
  Scenario: The robbed player may not steal the tile back at once
    Given the grill shows 21 to 23 25 to 36
    And Ann owns nothing
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
    And Ann stops and steals from Bob
    And Bob rolls
      | dice            | sets aside |
      | 1 2 3 4 W W W W | W          |
      | 2 3 4 5         | 4          |
    And Bob stops and steals from Ann
    Then this is refused

  @stealing.steal-back @steal-back=barred @case=barred-by-the-table
  Scenario: A tile just stolen is closed to the one who lost it
    Given the grill shows 21 to 23 25 to 36
    And Ann owns 24
    And Bob owns nothing
    And the 24 was just stolen from Bob
    When Bob rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 4 5       | 3          |
    And Bob stops and steals from Ann
    Then this is refused

  @stealing.steal-back @steal-back=barred @case=barred-leaves-the-grill-open
  Scenario: With the steal barred the next lower tile of the grill is open
    Given the grill shows 21 to 23 25 to 36
    And Ann owns 24
    And Bob owns nothing
    And the 24 was just stolen from Bob
    When Bob rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 4 5       | 3          |
    And Bob stops and takes 23
    Then Bob owns 23

  @stealing.steal-back @case=third-player-may-steal
  Scenario: Anybody else may steal the stolen tile at once
    Given the grill shows 21 to 23 25 to 36
    And Ann owns nothing
    And Cas owns nothing
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
    And Ann stops and steals from Bob
    And Cas rolls
      | dice            | sets aside |
      | 1 2 3 4 W W W W | W          |
      | 2 3 4 5         | 4          |
    And Cas stops and steals from Ann
    Then Cas owns 24

  @stealing.steal-back @steal-back=barred @case=barred-whoever-shows-it
  Scenario: A stolen tile stays barred to its first owner when a third player gets it
    Given the grill shows 21 to 23 25 to 36
    And Ann owns nothing
    And Cas owns nothing
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 3 3 3 W       | 3          |
    And Ann stops and steals from Bob
    And Cas rolls
      | dice            | sets aside |
      | 1 2 4 5 W W W W | W          |
      | 1 2 4 W         | 4          |
    And Cas stops and steals from Ann
    And Bob rolls
      | dice            | sets aside |
      | 1 2 3 3 3 4 5 W | 3          |
      | 1 5 W W W       | W          |
    And Bob stops and steals from Cas
    Then this is refused

  @stealing.steal-back @steal-back=allowed @case=allowed-whoever-shows-it
  Scenario: The first owner may steal the tile from a third player too
    Given the grill shows 21 to 23 25 to 36
    And Ann owns nothing
    And Cas owns nothing
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 3 3 3 W       | 3          |
    And Ann stops and steals from Bob
    And Cas rolls
      | dice            | sets aside |
      | 1 2 4 5 W W W W | W          |
      | 1 2 4 W         | 4          |
    And Cas stops and steals from Ann
    And Bob rolls
      | dice            | sets aside |
      | 1 2 3 3 3 4 5 W | 3          |
      | 1 5 W W W       | W          |
    And Bob stops and steals from Cas
    Then Bob owns 24

  @stealing.steal-back @steal-back=barred @case=another-tile-is-open
  Scenario: The robbed player may steal another tile
    Given the grill shows 21 to 23 25 to 27 29 to 36
    And Ann owns 24
    And Bob owns nothing
    And Cas owns 28
    And the 24 was just stolen from Bob
    When Bob rolls
      | dice            | sets aside |
      | 1 2 4 5 W W W W | W          |
      | 1 4 4 W         | 4          |
    And Bob stops and steals from Cas
    Then Bob owns 28

  @stealing.steal-back @steal-back=barred @case=two-tiles-barred
  Scenario Outline: Two tiles lost before the next turn are both barred
    Given the grill shows 21 to 23 25 to 27 29 to 36
    And Ann owns 24
    And Cas owns 28
    And Bob owns nothing
    And the 24 was just stolen from Bob
    And the 28 was just stolen from Bob
    When Bob rolls
      | dice            | sets aside |
      | 1 2 3 5 W W W W | W          |
      | <second roll>   | 4          |
    And Bob stops and steals from <thief>
    Then this is refused

    Examples:
      | thief | second roll |
      | Ann   | 1 3 4 5     |
      | Cas   | 1 3 4 4     |

  @stealing.steal-back @steal-back=barred @case=bar-ends
  Scenario: After one turn of the robbed player the tile is open again
    Given the grill shows 21 to 23 25 to 36
    And Ann owns 24
    And Bob owns nothing
    And Cas owns nothing
    And the 24 was just stolen from Bob
    When Bob rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 2 3 4 W       | 3          |
      | 1 2 4 4         | 4          |
    And Bob stops and takes 26
    And Cas rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 3 3 3 W       | 3          |
    And Cas stops and steals from Ann
    And Ann rolls
      | dice            | sets aside |
      | 1 2 4 5 W W W W | W          |
      | 1 4 4 W         | 4          |
    And Ann stops and takes 28
    And Bob rolls
      | dice            | sets aside |
      | 1 2 4 5 W W W W | W          |
      | 1 2 4 W         | 4          |
    And Bob stops and steals from Cas
    Then Cas owns nothing

  @stealing.exact @case=from-the-seventh-player
  Scenario: With seven players every one of the others can be robbed
    Given the grill shows 21 to 23 25 26 33 to 36
    And Ann owns 27
    And Bob owns 28
    And Cas owns 29
    And Dee owns 30
    And Eve owns 31
    And Fay owns 32
    And Gus owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 3 3 3 4       | 3          |
    And Ann stops and steals from Gus
    Then Ann owns 27 24
