Feature: Setup
  What lies on the table before the first roll, and who sits around it.

  @setup.tiles @case=start-grill
  Scenario Outline: All 16 tiles lie face up, however many play
    When a game for <players> players is set up
    Then the grill shows 21 to 36

    Examples:
      | players |
      | 2       |
      | 3       |
      | 4       |
      | 5       |
      | 6       |
      | 7       |

  @setup.tiles @case=highest-tile-exists
  Scenario: The highest tile is the 36
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 4 5 W W W W W W | W          |
      | 4 W             | 4          |
      | 2               | 2          |
    And Ann stops and takes 36
    Then Ann owns 36

  @setup.tiles @case=lowest-tile-exists
  Scenario: The lowest tile is the 21
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 4 5 W       | 3          |
    And Ann stops and takes 21
    Then Ann owns 21

  @setup.worms @case=worms-on-a-tile
  Scenario Outline: Every tile bears its number of worms
    Given Ann owns <tile>
    And Bob owns nothing
    When the worms are counted
    Then Ann has <worms> worms

    Examples:
      | tile | worms |
      | 21   | 1     |
      | 22   | 1     |
      | 23   | 1     |
      | 24   | 1     |
      | 25   | 2     |
      | 26   | 2     |
      | 27   | 2     |
      | 28   | 2     |
      | 29   | 3     |
      | 30   | 3     |
      | 31   | 3     |
      | 32   | 3     |
      | 33   | 4     |
      | 34   | 4     |
      | 35   | 4     |
      | 36   | 4     |

  @setup.worms @case=worms-of-all-tiles
  Scenario: All tiles together bear forty worms
    Given Ann owns 21 to 36
    And Bob owns nothing
    When the worms are counted
    Then Ann has 40 worms

  @setup.dice @case=every-face
  Scenario Outline: A die can show any number up to 5, and a worm
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice          | sets aside    |
      | <first roll>  | <face>        |
      | <second roll> | <second face> |
    And Ann stops and takes <tile>
    Then Ann owns <tile>

    Examples:
      | face | first roll      | second roll | second face | tile |
      | 1    | 1 1 2 3 3 4 5 W | 2 3 W W W W | W           | 22   |
      | 2    | 1 2 2 3 4 4 5 W | 1 3 W W W W | W           | 24   |
      | 3    | 1 2 3 3 4 5 5 W | 1 2 W W W W | W           | 26   |
      | 4    | 1 1 2 3 4 4 5 W | 2 5 W W W W | W           | 28   |
      | 5    | 1 2 3 4 4 5 5 W | 1 4 W W W W | W           | 30   |
      | W    | 1 2 3 3 4 5 W W | 2 4 4 4 4 5 | 4           | 26   |

  @setup.dice @case=eight-dice
  Scenario: There are eight dice, and all of them can count
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 2 3 4 5 W W W W | W          |
      | 3 4 4 4         | 4          |
      | 2               | 2          |
    And Ann stops and takes 34
    Then Ann owns 34

  @setup.players @case=nobody-owns-a-tile
  Scenario Outline: Two to seven players may sit down, and nobody owns a tile yet
    When a game for <players> players is set up
    Then nobody owns a tile

    Examples:
      | players |
      | 2       |
      | 3       |
      | 4       |
      | 5       |
      | 6       |
      | 7       |

  @setup.players @case=wrong-number-of-players
  Scenario Outline: Nobody plays alone, and eight are too many
    When a game for <players> players is set up
    Then this is refused

    Examples:
      | players |
      | 1       |
      | 8       |

  @setup.order @case=two-players-take-turns
  Scenario: With two players the turns go to and fro
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
    And Ann stops and takes 24
    And Bob rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 W W | W          |
      | 2 3 4 4 4 5     | 4          |
    And Bob stops and takes 22
    Then it is Ann's turn

  @setup.order @case=next-seat-after-a-claim
  Scenario Outline: After a claim the next seat is on, and after the last seat the first
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    And Cas owns nothing
    When <player> rolls
      | dice            | sets aside |
      | 1 2 3 3 4 W W W | W          |
      | 1 3 3 3 5       | 3          |
    And <player> stops and takes 24
    Then it is <next>'s turn

    Examples:
      | player | next |
      | Ann    | Bob  |
      | Bob    | Cas  |
      | Cas    | Ann  |

  @setup.order @case=round-of-seven
  Scenario Outline: Seven players take turns all around the table
    Given the grill shows 28 to 36
    And Ann owns 21
    And Bob owns 22
    And Cas owns 23
    And Dee owns 24
    And Eve owns 25
    And Fay owns 26
    And Gus owns 27
    When <player> rolls
      | dice            | sets aside |
      | 1 2 3 5 W W W W | W          |
      | 1 3 4 4         | 4          |
    And <player> stops and takes 28
    Then it is <next>'s turn

    Examples:
      | player | next |
      | Ann    | Bob  |
      | Bob    | Cas  |
      | Cas    | Dee  |
      | Dee    | Eve  |
      | Eve    | Fay  |
      | Fay    | Gus  |
      | Gus    | Ann  |

  @setup.order @case=next-seat-after-a-steal
  Scenario: After a steal the next seat is on, not the robbed player
    Given the grill shows 21 to 23 25 to 36
    And Ann owns nothing
    And Bob owns nothing
    And Cas owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 2 3 3 3       | 3          |
    And Ann stops and steals from Cas
    Then it is Bob's turn
