Feature: Ending
  When the game is over, and who has won.

  @ending.grill-empty @case=last-tile-taken
  Scenario: The game is over when the last tile is taken, however full the stacks are
    Given the grill shows 24
    And Ann owns 21 to 23
    And Bob owns 25 to 36
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
    And Ann stops and takes 24
    Then the game is over

  @ending.grill-empty @case=face-down-tiles-do-not-count
  Scenario: Face-down tiles do not keep the game going
    Given the grill shows 24
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 5 W       | 3          |
    And Ann stops and takes 24
    Then the game is over

  @ending.grill-empty @case=one-tile-left
  Scenario: With one tile left the game goes on
    Given the grill shows 24 30
    And Ann owns nothing
    And Bob owns 28
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 4 5       | 3          |
    And Ann stops and takes 24
    Then the game goes on

  @ending.grill-empty @case=turn-on-the-last-tile
  Scenario: With one tile left the next player still has a turn
    Given the grill shows 24 30
    And Ann owns 28
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 3 3 3 5       | 3          |
    And Ann stops and takes 24
    And Bob rolls
      | dice            | sets aside |
      | 1 2 W W W W W W | W          |
    And Bob stops and takes 30
    Then Bob owns 30

  @ending.grill-empty @case=no-last-turns
  Scenario: After the end nobody has a turn
    Given the grill shows 24
    And Ann owns 21 to 23
    And Bob owns 25 to 36
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 3 3 3 W       | 3          |
    And Ann stops and takes 24
    And Bob rolls
      | dice            | sets aside |
      | 1 2 4 5 W W W W | W          |
    Then this is refused

  @ending.grill-empty @case=failure-beside-the-last-tile
  Scenario: A failure that returns a tile to the last one does not end the game
    Given the grill shows 22
    And Ann owns 30
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 5 5 W | W          |
      | 1 2 3 4 5 W W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the game goes on

  @ending.steal-never-ends @case=steal-beside-the-last-tile
  Scenario: A steal with one tile left does not end the game
    Given the grill shows 21
    And Ann owns nothing
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
    And Ann stops and steals from Bob
    Then the game goes on

  @ending.steal-never-ends @case=steal-leaves-the-grill
  Scenario: A steal leaves the grill as it was
    Given the grill shows 21 to 23 25 to 36
    And Ann owns nothing
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
    And Ann stops and steals from Bob
    Then the grill shows 21 to 23 25 to 36

  @ending.steal-never-ends @case=turn-after-the-steal
  Scenario: After a steal the last tile is still there to be taken
    Given the grill shows 23
    And Ann owns nothing
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 3 3 3 5 W       | 3          |
    And Ann stops and steals from Bob
    And Bob rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 4 4 5 W       | 4          |
    And Bob stops and takes 23
    Then Bob owns 23

  @ending.worms-win @case=most-worms-win
  Scenario: The most worms win, not the highest sum of numbers
    Given Ann owns 21 22 23
    And Bob owns 36
    When the worms are counted
    Then Bob wins

  @ending.worms-win @case=not-the-most-tiles
  Scenario: The most worms win, not the most tiles
    Given Ann owns 21 22 23 24
    And Bob owns 29 25
    When the worms are counted
    Then Bob wins

  @ending.worms-win @case=not-the-highest-tile
  Scenario: The most worms win, not the highest tile
    Given Ann owns 25 26 27
    And Bob owns 36
    When the worms are counted
    Then Ann wins

  @ending.worms-win @case=covered-tiles-count
  Scenario: The worms on covered tiles count
    Given Ann owns 36 30 21
    And Bob owns 31 22
    When the worms are counted
    Then Ann has 8 worms

  @ending.worms-win @case=covered-tiles-decide
  Scenario: Covered tiles can decide the game
    Given Ann owns 35 30 21
    And Bob owns 36
    When the worms are counted
    Then Ann wins

  @ending.worms-win @case=worms-of-a-stack
  Scenario: A stack is worth the worms of all its tiles
    Given Ann owns nothing
    And Bob owns 24 25 29 33
    When the worms are counted
    Then Bob has 10 worms

  @ending.worms-win @case=empty-stack
  Scenario: A player without tiles has no worms
    Given Ann owns nothing
    And Bob owns 24
    When the worms are counted
    Then Ann has 0 worms

  @ending.worms-win @case=tie-below-the-winner
  Scenario: A tie among the others does not matter
    Given Ann owns 36
    And Bob owns 29 33
    And Cas owns 34
    When the worms are counted
    Then Bob wins

  @ending.tie-break @tie-break=highest-tile @case=question-24
  Scenario: Among the tied the highest single tile wins, not the number of tiles
    Question 24.

    Given Ann owns 21 22 23 24
    And Bob owns 33
    When the worms are counted
    Then Bob wins

  @ending.tie-break @tie-break=highest-tile @case=question-23
  Scenario: A covered tile counts for the tie
    Question 23.

    Given Ann owns 25 30
    And Bob owns 36 24
    When the worms are counted
    Then Bob wins

  @ending.tie-break @tie-break=highest-tile @case=first-seat-may-win-too
  Scenario: The seat does not settle a tie
    Given Ann owns 35
    And Bob owns 33
    And Cas owns 34
    When the worms are counted
    Then Ann wins

  @ending.tie-break @tie-break=highest-tile @case=many-tiles-may-win-too
  Scenario: The player with more tiles wins a tie only by the highest one
    Given Ann owns 21 22 30
    And Bob owns 26 29
    When the worms are counted
    Then Ann wins

  @ending.tie-break @tie-break=highest-tile @case=one-tile-in-the-first-seat
  Scenario: More tiles in a later seat do not settle a tie
    Given Ann owns 33
    And Bob owns 27 28
    When the worms are counted
    Then Ann wins

  @ending.tie-break @tie-break=highest-tile @case=only-among-the-tied
  Scenario: The highest tile counts only among those with the most worms
    Given Ann owns 29 25 26
    And Bob owns 33 31
    And Cas owns 36
    When the worms are counted
    Then Bob wins

  @ending.tie-break @tie-break=shared @case=question-24-shared
  Scenario: Two players with the most worms share the win
    Question 24.

    Given Ann owns 21 22 23 24
    And Bob owns 33
    When the worms are counted
    Then Ann and Bob win together

  @ending.tie-break @tie-break=shared @case=question-23-shared
  Scenario: No covered tile settles a shared win
    Question 23.

    Given Ann owns 25 30
    And Bob owns 36 24
    When the worms are counted
    Then Ann and Bob win together

  @ending.tie-break @tie-break=shared @case=three-share
  Scenario: Three players with the most worms share the win
    Given Ann owns 33
    And Bob owns 34
    And Cas owns 36
    When the worms are counted
    Then Ann, Bob and Cas win together

  @ending.tie-break @tie-break=shared @case=only-the-tied-share
  Scenario: Only those with the most worms share the win
    Given Ann owns 33
    And Bob owns 29
    And Cas owns 36
    When the worms are counted
    Then Ann and Cas win together

  @ending.nobody @unsettled @case=two-without-tiles
  Scenario: If nobody owns a tile, both players share the win
    Given Ann owns nothing
    And Bob owns nothing
    When the worms are counted
    Then Ann and Bob win together

  @ending.nobody @unsettled @case=three-without-tiles
  Scenario: If nobody of three owns a tile, all of them share the win
    Given Ann owns nothing
    And Bob owns nothing
    And Cas owns nothing
    When the worms are counted
    Then Ann, Bob and Cas win together

  @ending.worms-win @case=last-of-five-wins
  Scenario: The last of five players may win
    Given Ann owns 21
    And Bob owns 22
    And Cas owns nothing
    And Dee owns 25
    And Eve owns 23 33
    When the worms are counted
    Then Eve wins

  @ending.tie-break @tie-break=highest-tile @case=tie-among-six
  Scenario: Among six players a tie goes to the one with the highest single tile
    Given Ann owns 25 21
    And Bob owns 22
    And Cas owns 23 26
    And Dee owns nothing
    And Eve owns 24
    And Fay owns 29
    When the worms are counted
    Then Fay wins
