Feature: Claiming
  What the dice are worth, and which tile of the grill they buy.

  @claiming.total @case=numbers-count-themselves
  Scenario Outline: A number counts its own value
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 W W W W | W          |
      | <second roll>   | <number>   |
    And Ann stops and takes <tile>
    Then Ann owns <tile>

    Examples:
      | number | second roll | tile |
      | 1      | 1 1 3 5     | 22   |
      | 2      | 2 2 3 5     | 24   |
      | 3      | 1 3 3 5     | 26   |
      | 4      | 1 2 4 4     | 28   |
      | 5      | 2 4 5 5     | 30   |

  @claiming.total @case=a-worm-counts-five
  Scenario Outline: A worm counts five, alone and beside numbers
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice         | sets aside |
      | <first roll> | W          |
      | <next roll>  | <number>   |
    And Ann stops and takes <tile>
    Then Ann owns <tile>

    Examples:
      | worms | first roll      | next roll     | number | tile |
      | one   | 1 1 2 3 3 4 5 W | 1 3 4 4 4 4 4 | 4      | 25   |
      | two   | 1 2 3 3 4 4 W W | 1 2 4 4 4 5   | 4      | 22   |
      | three | 1 2 3 4 4 W W W | 1 3 3 3 5     | 3      | 24   |
      | four  | 1 2 4 5 W W W W | 1 3 3 4       | 4      | 24   |
      | five  | 2 3 4 W W W W W | 1 4 5         | 1      | 26   |
      | six   | 1 3 W W W W W W | 2 4           | 2      | 32   |

  @claiming.total @case=worms-alone
  Scenario Outline: Worms alone make a total
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice         | sets aside |
      | <first roll> | W          |
    And Ann stops and takes <tile>
    Then Ann owns <tile>

    Examples:
      | worms | first roll      | tile |
      | five  | 1 2 4 W W W W W | 25   |
      | six   | 2 3 W W W W W W | 30   |
      | seven | 1 W W W W W W W | 35   |

  @claiming.total @case=only-set-aside-dice-count
  Scenario: Dice that are not set aside count nothing
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 2 3 4 5 W W W W | W          |
      | 4 W W W         | 4          |
    And Ann stops and takes 24
    Then Ann owns 24

  @claiming.worm-needed @case=no-worm-no-tile
  Scenario: Without a worm the exact tile can't be taken
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 4 4 5 | 4          |
      | 2 3 3 3         | 3          |
    And Ann stops and takes 25
    Then this is refused

  @claiming.worm-needed @case=no-worm-no-lower-tile
  Scenario: Without a worm a lower tile can't be taken either
    Given the grill shows 21 to 24 27 to 36
    And Ann owns 25
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 3 4 4 4 4 5 W | 4          |
      | 3 3 3 5         | 3          |
    And Ann stops and takes 24
    Then this is refused

  @claiming.worm-needed @case=fives-are-no-worms
  Scenario: The 5 counts as much as a worm, but it is none
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 4 5 5 5 5 W | 5          |
      | 4 4 4 W         | 4          |
    And Ann stops and takes 32
    Then this is refused

  @claiming.worm-needed @case=worm-must-be-set-aside
  Scenario: A worm that was rolled but not set aside is not enough
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 4 4 4 4 | 4          |
      | 3 3 3 W         | 3          |
    And Ann stops and takes 25
    Then this is refused

  @claiming.worm-needed @case=one-worm-is-enough
  Scenario: A single worm is enough
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 2 3 4 4 4 4 5   | 4          |
      | 2 4 5           | 2          |
    And Ann stops and takes 23
    Then Ann owns 23

  @claiming.exact @case=exact-tile
  Scenario Outline: The tile of exactly the total may be taken
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | <second roll>   | <number>   |
    And Ann stops and takes <tile>
    Then Ann owns <tile>

    Examples:
      | tile | second roll | number |
      | 23   | 1 3 4 4 5   | 4      |
      | 24   | 2 3 3 3 5   | 3      |
      | 27   | 1 4 4 4 5   | 4      |
      | 31   | 2 4 4 4 4   | 4      |

  @claiming.exact @case=question-1
  Scenario: Three 4s and two worms buy the 22
    Question 1.

    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 4 5 W | 4          |
      | 2 3 4 W W       | W          |
    And Ann stops and takes 22
    Then Ann owns 22

  @claiming.exact @case=no-higher-tile
  Scenario: A tile above the total can't be taken
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 5 W       | 3          |
    And Ann stops and takes 25
    Then this is refused

  @claiming.exact @case=question-19
  Scenario: A total below the grill takes nothing from it, whatever an opponent shows
    Question 19.

    Given the grill shows 26 to 36
    And Ann owns nothing
    And Bob owns 22
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 4 5 W | 4          |
      | 1 2 3 W W       | W          |
    And Ann stops and takes 26
    Then this is refused

  @claiming.lower @case=next-lower-tile
  Scenario: If the exact tile is gone, the next lower one may be taken
    Given the grill shows 21 to 23 26 to 36
    And Ann owns nothing
    And Bob owns 24 25
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 2 3 3 3       | 3          |
    And Ann stops and takes 23
    Then Ann owns 23

  @claiming.lower @case=exact-tile-covered-at-home
  Scenario: An exact tile covered in the player's own stack leaves the next lower one
    Given the grill shows 21 to 23 26 to 36
    And Ann owns 24 25
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 2 3 3 3       | 3          |
    And Ann stops and takes 23
    Then the grill shows 21 22 26 to 36

  @claiming.lower @case=wide-gap
  Scenario: The gap down to the next lower tile may be wide
    Given the grill shows 21 31
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 2 3 4 5 W W W W | W          |
      | 3 4 4 5         | 4          |
    And Ann stops and takes 21
    Then Ann owns 21

  @claiming.lower @case=figure-4d
  Scenario: With a total of 31 and no 29 to 31 in sight the 28 is taken
    Rulebook, figure 4d.

    Given the grill shows 21 to 28 32 to 36
    And Ann owns nothing
    And Bob owns 29 31 30
    When Ann rolls
      | dice            | sets aside |
      | 1 2 5 W W W W W | W          |
      | 1 3 3           | 3          |
    And Ann stops and takes 28
    Then Ann owns 28

  @claiming.lower @case=question-3
  Scenario: If the exact tile lies covered in another stack, the next lower one is taken
    Question 3.

    Given the grill shows 21 24 30
    And Ann owns nothing
    And Bob owns 25 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 5 W W | W          |
      | 1 2 3 5 5 5     | 5          |
    And Ann stops and takes 24
    Then Ann owns 24

  @claiming.lower @case=no-tile-between
  Scenario: With the exact tile gone, a tile above the total stays out of reach
    Given the grill shows 21 to 23 26 to 36
    And Ann owns nothing
    And Bob owns 24 25
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 5 W       | 3          |
    And Ann stops and takes 26
    Then this is refused

  @claiming.lower @lower-tile=next @case=not-further-down
  Scenario: A tile below the next lower one is refused
    Given the grill shows 21 to 23 26 to 36
    And Ann owns nothing
    And Bob owns 24 25
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 4 5       | 3          |
    And Ann stops and takes 22
    Then this is refused

  @claiming.lower @lower-tile=any @lower-tile=any-if-exact-gone @case=further-down
  Scenario: If the exact tile is gone, any lower one may be taken
    Given the grill shows 21 to 23 26 to 36
    And Ann owns nothing
    And Bob owns 24 25
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
    And Ann stops and takes 22
    Then Ann owns 22

  @claiming.lower @lower-tile=next @lower-tile=any-if-exact-gone @case=exact-tile-there
  Scenario: While the exact tile is there, a lower one is refused
    Question 1.

    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 4 5 W | 4          |
      | 1 2 5 W W       | W          |
    And Ann stops and takes 21
    Then this is refused

  @claiming.lower @lower-tile=any @case=lower-beside-the-exact-tile
  Scenario: Even while the exact tile is there, a lower one may be taken
    Question 1.

    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 4 5 W | 4          |
      | 2 3 4 W W       | W          |
    And Ann stops and takes 21
    Then Ann owns 21

  @claiming.lower @lower-tile=any @lower-tile=any-if-exact-gone @case=question-3-lowest
  Scenario: If the exact tile lies covered in another stack, any lower one may be taken
    Question 3.

    Given the grill shows 21 24 30
    And Ann owns nothing
    And Bob owns 25 26
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 W W | W          |
      | 2 3 4 5 5 5     | 5          |
    And Ann stops and takes 21
    Then Ann owns 21

  @claiming.lower @lower-tile=next @case=far-above-not-further-down
  Scenario: A total above every tile buys no other than the highest
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 5 W W W W W | W          |
      | 4 4 4           | 4          |
    And Ann stops and takes 35
    Then this is refused

  @claiming.lower @lower-tile=any @lower-tile=any-if-exact-gone @case=far-above-any
  Scenario: A total above every tile buys whichever tile the player likes
    Question 14.

    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | W W W W W W W W | W          |
    And Ann stops and takes 21
    Then Ann owns 21

  @claiming.above-highest @case=above-36
  Scenario Outline: A total that no tile bears takes the highest tile
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice         | sets aside |
      | <first roll> | W          |
      | <next roll>  | <number>   |
    And Ann stops and takes 36
    Then Ann owns 36

    Examples:
      | total | first roll      | next roll | number |
      | 37    | 2 3 4 W W W W W | 4 4 4     | 4      |
      | 38    | 1 5 W W W W W W | 4 4       | 4      |
      | 39    | 2 W W W W W W W | 4         | 4      |

  @claiming.above-highest @case=question-14
  Scenario: Eight worms in one roll are worth 40, and take the highest tile
    Question 14.

    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | W W W W W W W W | W          |
    And Ann stops and takes 36
    Then Ann owns 36

  @claiming.above-highest @case=question-12
  Scenario: With a total of 38 the 36 is taken
    Question 12.

    Given the grill shows 22 35 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 3 4 5 W W W W | W          |
      | 4 5 5 5         | 5          |
      | 3               | 3          |
    And Ann stops and takes 36
    Then Ann owns 36

  @claiming.above-highest @case=question-13
  Scenario: With a total of 38 and the 36 gone the 34 is taken
    Question 13.

    Given the grill shows 22 31 34
    And Ann owns nothing
    And Bob owns 36
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 5 W W W W | W          |
      | 1 5 5 5         | 5          |
      | 3               | 3          |
    And Ann stops and takes 34
    Then Ann owns 34

  @claiming.above-highest @case=above-the-rest
  Scenario: A total above every tile that is left takes the highest of them
    Given the grill shows 21 to 25
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 4 4 4 5 W       | 4          |
    And Ann stops and takes 25
    Then Ann owns 25

  @claiming.own-top @case=own-top-refused
  Scenario: A player can't claim the top tile of the own stack
    Given the grill shows 21 to 23 25 27 to 36
    And Ann owns 24
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 2 3 3 3       | 3          |
    And Ann stops and takes 24
    Then this is refused

  @claiming.own-top @case=below-own-top
  Scenario: With the total of the own top tile the next lower one may be taken
    Given the grill shows 21 to 23 25 27 to 36
    And Ann owns 24
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
    And Ann stops and takes 23
    Then the grill shows 21 22 25 27 to 36

  @claiming.own-top @case=figure-4c
  Scenario: With a total of 23, the own 23 and a covered 22 the 21 is taken
    Rulebook, figure 4c.

    Given the grill shows 21 24 to 29 31 to 36
    And Ann owns 23
    And Bob owns 22 30
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 4 4 5       | 4          |
    And Ann stops and takes 21
    Then the grill shows 24 to 29 31 to 36

  @claiming.own-top @case=question-4
  Scenario: With 25 as the own top tile a total of 25 takes the 24
    Question 4.

    Given the grill shows 21 24 30
    And Ann owns 25
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 4 5 W W | W          |
      | 3 4 5 5 5 W     | 5          |
    And Ann stops and takes 24
    Then the grill shows 21 30

  @claiming.face-down @case=face-down-refused
  Scenario: A face-down tile can't be claimed
    The 24 lies face down.

    Given the grill shows 21 to 23 25 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 4 5       | 3          |
    And Ann stops and takes 24
    Then this is refused

  @claiming.face-down @case=face-down-exact-leaves-the-lower
  Scenario: If the exact tile lies face down, the next lower one may be taken
    The 35 and the 36 lie face down.

    Given the grill shows 21 to 34
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 2 W W W W W W W | W          |
    And Ann stops and takes 34
    Then Ann owns 34

  @claiming.face-down @case=face-down-does-not-block
  Scenario: A lower tile can be had past face-down ones
    The 26, the 27 and the 28 lie face down.

    Given the grill shows 21 to 25 29
    And Ann owns nothing
    And Bob owns 30 to 36
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 5 W W W W | W          |
      | 1 2 4 4         | 4          |
    And Ann stops and takes 25
    Then Ann owns 25

  @claiming.one-tile @case=on-top-of-the-stack
  Scenario: A tile that was taken goes on top of the own stack
    Given the grill shows 21 to 25 27 29 to 36
    And Ann owns 28
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 5 W       | 3          |
    And Ann stops and takes 24
    Then Ann owns 28 24

  @claiming.one-tile @case=stolen-tile-on-top
  Scenario: A stolen tile goes on top of the own stack
    Given the grill shows 21 to 23 25 to 27 29 to 36
    And Ann owns 28
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 3 3 3 W       | 3          |
    And Ann stops and steals from Bob
    Then Ann owns 28 24

  @claiming.one-tile @case=stolen-tile-leaves
  Scenario: A stolen tile leaves the stack of its owner
    Given the grill shows 21 to 23 25 to 36
    And Ann owns nothing
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 4 5       | 3          |
    And Ann stops and steals from Bob
    Then Bob owns nothing

  @claiming.one-tile @case=taken-tile-leaves
  Scenario: A taken tile leaves the grill, and it alone
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 5 W       | 3          |
    And Ann stops and takes 24
    Then the grill shows 21 to 23 25 to 36

  @claiming.one-tile @case=nobody-else-loses
  Scenario: A tile taken from the grill costs nobody else a tile
    Given the grill shows 21 to 24 26 to 36
    And Ann owns nothing
    And Bob owns 25
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 3 3 3 W       | 3          |
    And Ann stops and takes 24
    Then Bob owns 25

  @claiming.stop-claims @case=stop-brings-a-tile
  Scenario: Who stops with a tile in reach has it
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 W W W W | W          |
      | 2 3 4 5         | 4          |
    And Ann stops and takes 24
    Then Ann owns 24

  @claiming.stop-claims @case=forced-end-brings-a-tile
  Scenario: Who must stop with a tile in reach has it too
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 2 3 3 3       | 3          |
      | 1 3             | 1          |
      | 2               | 2          |
    And Ann stops and takes 27
    Then Ann owns 27

  @claiming.one-tile @case=tall-stack
  Scenario: A claimed tile leaves a tall stack in the order in which it grew
    Given the grill shows 21 23 33 to 36
    And Ann owns 31 22 28 25
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 3 4 4 5       | 4          |
    And Ann stops and takes 23
    Then Ann owns 31 22 28 25 23
