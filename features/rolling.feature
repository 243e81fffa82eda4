Feature: Rolling
  What may be set aside after a roll, and when the rolling is over.

  @rolling.all-dice @case=first-roll-takes-eight
  Scenario: The first roll is made with all eight dice
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 2 W W W W W W W | W          |
    And Ann stops and takes 35
    Then Ann owns 35

  @rolling.all-dice @case=later-roll-takes-the-rest
  Scenario: A later roll is made with all the dice that are left
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 4 4 4 4       | 4          |
    And Ann stops and takes 31
    Then Ann owns 31

  @rolling.all-dice @case=dice-set-aside-stay-aside
  Scenario: Dice set aside are not rolled again
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | 4          |
      | 1 2 3 4 5 W W   | W          |
      | 1 2 4 5 W       | 2          |
      | 3 3 5 W         | 3          |
    And Ann stops and takes 22
    Then Ann owns 22

  @rolling.all-dice @case=down-to-the-last-die
  Scenario: Every roll has fewer dice, down to the last one
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 4 4 5 W       | 4          |
      | 2 2 5           | 2          |
      | 1               | 1          |
    And Ann stops and takes 28
    Then Ann owns 28

  @rolling.all-dice @case=eight-dice-again-next-turn
  Scenario: The next player starts with eight dice again
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 5 W       | 3          |
    And Ann stops and takes 24
    And Bob rolls
      | dice            | sets aside |
      | 3 4 W W W W W W | W          |
      | 2 5             | 2          |
    And Bob stops and takes 32
    Then Bob owns 32

  @rolling.choose-a-face @case=face-not-rolled-first
  Scenario: A face that the first roll does not show can't be chosen
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 3 4 4 5 | W          |
    Then this is refused

  @rolling.choose-a-face @case=face-not-rolled-later
  Scenario: A face that a later roll does not show can't be chosen
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 1 2 2 5       | 4          |
    Then this is refused

  @rolling.choose-a-face @case=stop-before-choosing-first
  Scenario: Nobody may stop before something is set aside
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 3 4 5 W W | -          |
    And Ann stops before choosing
    Then this is refused

  @rolling.choose-a-face @case=stop-before-choosing-later
  Scenario: Nobody may stop on a roll from which nothing was chosen
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 5 W W | W          |
      | 1 1 2 3 5 W     | -          |
    And Ann stops before choosing
    Then this is refused

  @rolling.choose-a-face @case=claim-before-choosing
  Scenario: A total that fits is no reason to leave the last roll aside
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 4 4 5 W       | 4          |
      | 1 2 4           | -          |
    And Ann stops before choosing and takes 23
    Then this is refused

  @rolling.choose-a-face @case=roll-on-before-choosing-first
  Scenario: The first roll can't be thrown away and rolled again
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 1 2 2 3 4 5 | -          |
    And Ann rolls on before choosing
    Then this is refused

  @rolling.choose-a-face @case=roll-on-before-choosing-later
  Scenario: Nobody may roll on without choosing a face
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 2 2 3 3       | -          |
    And Ann rolls on before choosing
    Then this is refused

  @rolling.choose-a-face @case=one-face-a-roll
  Scenario: Only one face of a roll is set aside, the rest is rolled again
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 3 3 3 W W W | W          |
      | 1 2 3 4 4       | 4          |
    And Ann stops and takes 23
    Then Ann owns 23

  @rolling.choose-a-face @case=only-choice-left
  Scenario: If a roll shows a single new face, that one is chosen
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 4 4 5 W       | 4          |
      | 1 4 W           | 1          |
    And Ann stops and takes 24
    Then Ann owns 24

  @rolling.choose-a-face @case=any-rolled-face
  Scenario: A player may choose a low number although worms were rolled
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 W W | 1          |
      | 2 3 W W W W     | W          |
      | 1 3             | 3          |
    And Ann stops and takes 25
    Then Ann owns 25

  @rolling.whole-face @case=whole-face-of-worms
  Scenario: All dice that show the chosen face are set aside
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 3 4 5 W W W W | W          |
      | 3 3 5 W         | 3          |
    And Ann stops and takes 26
    Then Ann owns 26

  @rolling.whole-face @case=figure-4a
  Scenario: The third roll shows three 2s, and all three count
    Rulebook, figure 4a.

    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 4 5 W | 4          |
      | 2 3 4 5 W W     | W          |
      | 2 2 2 4         | 2          |
    And Ann stops and takes 24
    Then Ann owns 24

  @rolling.whole-face @case=six-of-a-kind
  Scenario: Six dice of one face leave two to roll
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 3 3 3 3 3 3 4 W | 3          |
      | 1 W             | W          |
    And Ann stops and takes 23
    Then Ann owns 23

  @rolling.new-face @case=worm-twice
  Scenario: Worms can't be chosen twice in a turn
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 W W | W          |
      | 1 2 3 4 5 W     | W          |
    Then this is refused

  @rolling.new-face @case=number-twice
  Scenario: A number can't be chosen twice, however many dice show it
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 3 4 5 W | 4          |
      | 1 2 3 4 5 W W   | W          |
      | 3 4 4 4 4       | 4          |
    Then this is refused

  @rolling.new-face @case=figure-3-worm
  Scenario: The worms of the second roll are barred by those of the first
    Rulebook, figure 3.

    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 3 5 W W | W          |
      | 1 3 4 4 W W     | W          |
    Then this is refused

  @rolling.new-face @case=figure-3-number
  Scenario: The 4s of the second roll bar the 4s of the third
    Rulebook, figure 3.

    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 3 5 W W | W          |
      | 1 3 4 4 W W     | 4          |
      | 4 4 5 W         | 4          |
    Then this is refused

  @rolling.new-face @case=figure-3-total
  Scenario: Only the 5 is new, and it brings the total to 23
    Rulebook, figure 3.

    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 3 5 W W | W          |
      | 1 3 4 4 W W     | 4          |
      | 4 4 5 W         | 5          |
    And Ann stops and takes 23
    Then Ann owns 23

  @rolling.new-face @case=five-after-worm
  Scenario: A 5 may be chosen after worms
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 2 3 4 4       | 4          |
      | 5 W W           | 5          |
    And Ann stops and takes 28
    Then Ann owns 28

  @rolling.new-face @case=worm-after-five
  Scenario: A worm may be chosen after 5s
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 5 W | 5          |
      | 2 3 4 4 5 W     | 4          |
      | 5 5 W W         | W          |
    And Ann stops and takes 28
    Then Ann owns 28

  @rolling.new-face @case=five-twice
  Scenario: The 5s can't be chosen twice, even with no worm set aside
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 5 W | 5          |
      | 1 3 5 5 W W     | 5          |
    Then this is refused

  @rolling.new-face @case=new-turn-new-faces
  Scenario: In the next turn every face is new again
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 5 W       | 3          |
    And Ann stops and takes 24
    And Bob rolls
      | dice            | sets aside |
      | 1 2 3 3 4 4 5 W | 3          |
      | 1 4 5 W W W     | W          |
      | 1 2 W           | 1          |
    And Bob stops and takes 22
    Then Bob owns 22

  @rolling.forced-end @case=eight-dice-no-more-rolls
  Scenario: With all eight dice set aside nobody can roll on
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 W W W W | W          |
      | 2 4 4 4         | 4          |
      | 2               | 2          |
    And Ann rolls on
    Then this is refused

  @rolling.forced-end @case=eight-dice-claim
  Scenario: All eight dice set aside still make a claim
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
      | 2 2             | 2          |
    And Ann stops and takes 28
    Then Ann owns 28

  @rolling.forced-end @case=eight-dice-fail
  Scenario: With all eight dice set aside and nothing to claim the turn is over
    Given the grill shows 21 23 to 25 27 to 36
    And Ann owns 22
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 1 1 1 2 4 5 W | 1          |
      | 2 2 5 W         | 2          |
      | 5 W             | W          |
      | 3               | 3          |
    Then Ann owns nothing

  @rolling.forced-end @case=five-faces-are-not-all
  Scenario: Five faces do not end the turn while dice are left
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 W W | 4          |
      | 1 1 2 3 4 5 W   | 3          |
      | 1 2 3 4 5 W     | 2          |
      | 1 2 4 5 W       | 1          |
      | 4 5 W W         | W          |
      | 5 W             | 5          |
    And Ann stops and takes 25
    Then Ann owns 25

  @rolling.forced-end @case=six-faces-claim
  Scenario: With all six faces set aside and a die left the tile is claimed
    Question 17.

    Given the grill shows 25 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 3 4 5 W | 1          |
      | 1 2 3 3 4 5 W   | 2          |
      | 1 2 3 4 5 W     | 3          |
      | 1 2 4 5 W       | 4          |
      | 1 5 5 W         | 5          |
      | 1 W             | W          |
    And Ann stops and takes 25
    Then Ann owns 25

  @rolling.forced-end @six-faces=over @case=six-faces-no-more-rolls
  Scenario: With all six faces set aside nobody can roll on
    Question 17.

    Given the grill shows 25 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 3 4 5 W | 1          |
      | 1 2 3 3 4 5 W   | 2          |
      | 1 2 3 4 5 W     | 3          |
      | 1 2 4 5 W       | 4          |
      | 1 5 5 W         | 5          |
      | 1 W             | W          |
    And Ann rolls on
    Then this is refused

  @rolling.forced-end @six-faces=over @case=six-faces-fail
  Scenario: With all six faces set aside and nothing in reach the turn has failed
    Question 16.

    Given the grill shows 21 22 36
    And Ann owns 27
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 5 5 W | 1          |
      | 1 2 3 4 5 5 W   | 2          |
      | 1 2 3 4 5 W     | 3          |
      | 1 2 3 4 5       | 4          |
      | 2 3 4 5         | 5          |
      | 3 4 W           | W          |
    Then Ann owns nothing

  @rolling.forced-end @six-faces=over @case=six-faces-pass
  Scenario: The sixth face ends the turn as failed, although two dice are left
    Given the grill shows 21 to 25 28 to 36
    And Ann owns 27
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 3 4 5 W | W          |
      | 1 2 3 3 4 5 W   | 5          |
      | 1 2 3 4 5 W     | 4          |
      | 1 2 3 4 W       | 3          |
      | 1 2 3 4         | 2          |
      | 1 3 4           | 1          |
    Then Ann owns nothing

  @rolling.forced-end @six-faces=roll-on @case=six-faces-roll-on
  Scenario: The sixth face does not stop the rolling, yet the next roll is dead
    Given the grill shows 25 36
    And Ann owns 22
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 5 W W | 1          |
      | 1 2 3 4 5 W W   | 2          |
      | 1 2 3 4 5 W     | 3          |
      | 2 3 4 5 W       | 4          |
      | 3 4 5 5         | 5          |
      | 4 W             | W          |
      | 4               | -          |
    Then Ann owns nothing

  @rolling.forced-end @six-faces=roll-on @case=six-faces-roll-on-below-reach
  Scenario: Who rolls on after the sixth face can only fail
    Question 16.

    Given the grill shows 21 22 36
    And Ann owns 27
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 4 5 W W | 1          |
      | 1 1 2 3 4 5 W   | 2          |
      | 1 2 3 4 5 W     | 3          |
      | 1 3 4 5 W       | 4          |
      | 1 4 5 W         | 5          |
      | 1 5 W           | W          |
      | 5 W             | -          |
    Then Ann owns nothing

  @rolling.stop-freely @case=stop-early
  Scenario: A player may stop with dice left
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 4 4 5 W       | 4          |
    And Ann stops and takes 23
    Then Ann owns 23

  @rolling.stop-freely @case=stop-after-one-roll
  Scenario: A player may stop after the very first set-aside
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 2 3 4 W W W W W | W          |
    And Ann stops and takes 25
    Then Ann owns 25

  @rolling.stop-freely @case=roll-on-freely
  Scenario: A player may roll on although a tile could be claimed
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 4 4 5       | 4          |
      | 3 3 4           | 3          |
    And Ann stops and takes 29
    Then Ann owns 29

  @rolling.stop-freely @stop-without-claim=fails @case=stop-in-vain
  Scenario: Stopping with nothing in reach is allowed, and the turn has failed
    Question 7.

    Given the grill shows 21 23 to 36
    And Ann owns 22
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 W W | W          |
      | 2 3 4 5 5 W     | 5          |
    And Ann stops
    Then Ann owns nothing

  @rolling.stop-freely @stop-without-claim=barred @case=stop-in-vain-barred
  Scenario: Stopping with nothing in reach is refused
    Question 7.

    Given the grill shows 21 23 to 36
    And Ann owns 22
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 W W | W          |
      | 2 3 4 5 5 W     | 5          |
    And Ann stops
    Then this is refused

  @rolling.stop-freely @stop-without-claim=fails @case=question-8
  Scenario: Giving up without a tile to return is allowed, and the turn is over
    Question 8. What then happens to the grill is told by question 11.

    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 3 4 5 W W | W          |
      | 1 2 4 5 5 W     | 5          |
    And Ann stops
    Then Ann owns nothing

  @rolling.stop-freely @stop-without-claim=fails @case=stop-without-worm
  Scenario: Stopping without a worm is allowed, and the turn has failed
    Given the grill shows 21 23 to 25 27 to 36
    And Ann owns 22
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 4 4 W | 4          |
      | 1 3 3 3         | 3          |
    And Ann stops
    Then Ann owns nothing

  @rolling.stop-freely @stop-without-claim=barred @case=stop-without-worm-barred
  Scenario: Stopping without a worm is refused while the turn can go on
    Given the grill shows 21 23 to 25 27 to 36
    And Ann owns 22
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 4 4 W | 4          |
      | 1 3 3 3         | 3          |
    And Ann stops
    Then this is refused
