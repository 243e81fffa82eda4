Feature: Failing
  What makes a turn fail, and what it costs.

  @failing.dead-roll @case=figure-6a
  Scenario: A fourth roll without any new face ends the turn in failure
    Rulebook, figure 6a.

    Given the grill shows 21 to 23 25 to 36
    And Ann owns 24
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 3 4 4 5 W | 1          |
      | 1 2 2 3 4 5 W   | 2          |
      | 1 2 4 5 W       | W          |
      | 1 2 2 W         | -          |
    Then Ann owns nothing

  @failing.dead-roll @case=dead-second-roll
  Scenario: A turn can be dead with its second roll
    Given the grill shows 21 to 23 25 27 to 36
    And Ann owns 24
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 4 5 W W | W          |
      | W W W W W W     | -          |
    Then Ann owns nothing

  @failing.dead-roll @case=dead-last-die
  Scenario: A turn can be dead with its last die
    Given the grill shows 21 to 23 25 27 to 36
    And Ann owns 24
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 1 1 2 3 4 5 W | 1          |
      | 3 4 5 W W       | W          |
      | 2 2 5           | 2          |
      | W               | -          |
    Then Ann owns nothing

  @failing.dead-roll @case=ready-tile-stays
  Scenario: The tile that lay ready stays on the grill
    A total of 23 lay ready.

    Given the grill shows 21 to 23 25 27 to 36
    And Ann owns 24
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 4 4 5 W       | 4          |
      | 4 W W           | -          |
    Then the 23 is face up

  @failing.dead-roll @case=ready-tile-does-not-save-the-stack
  Scenario: A dead roll costs the top tile, whatever lay ready
    A total of 31 lay ready.

    Given the grill shows 21 to 23 25 27 to 36
    And Ann owns 24
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 2 3 4 W W W W W | W          |
      | 3 3 4           | 3          |
      | 3               | -          |
    Then Ann owns nothing

  @failing.dead-roll @case=one-new-face-is-enough
  Scenario: A roll with a single new face is not dead
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 4 4 5       | 4          |
      | 2 W W           | 2          |
    And Ann stops and takes 25
    Then Ann owns 25

  @failing.dead-roll @case=no-choice-after-a-dead-roll
  Scenario: A dead roll fails the turn without a further decision
    Given the grill shows 21 to 23 25 27 to 36
    And Ann owns 24
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | 3          |
      | 1 2 3 4 4 5 W   | 4          |
      | 1 3 4 5 W       | W          |
      | 3 3 4 W         | -          |
    Then Ann owns nothing

  @failing.no-worm @case=figure-6b
  Scenario: A total of 31 without a worm has failed, although the 31 is there
    Rulebook, figure 6b.

    Given the grill shows 21 23 to 36
    And Ann owns 22
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 4 4 5 W | 1          |
      | 2 2 3 4 4 5 W   | 3          |
      | 1 4 4 4 5 W     | 4          |
      | 5 5 5           | 5          |
    Then Ann owns nothing

  @failing.no-worm @case=nothing-without-a-worm
  Scenario: A turn that ends without a worm brings no tile
    Given the grill shows 21 23 to 25 27 to 36
    And Ann owns 22
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 3 4 4 5 W | 1          |
      | 1 2 3 4 4 5 W   | 2          |
      | 1 3 3 3 5 W     | 3          |
      | 4 4 4           | 4          |
    Then the 24 is face up

  @failing.no-worm @case=same-total-with-a-worm
  Scenario: The same total with a worm buys the 31
    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 4 5 W W | W          |
      | 3 4 4 4 4 5     | 4          |
      | 3 5             | 3          |
      | 2               | 2          |
    And Ann stops and takes 31
    Then Ann owns 31

  @failing.no-worm @case=no-worm-no-rescue-by-stealing
  Scenario: Without a worm an opponent's exact tile does not save the turn
    Given the grill shows 21 23 25 to 36
    And Ann owns 22
    And Bob owns 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 4 5 5 W | 1          |
      | 1 2 3 3 4 5 W   | 2          |
      | 2 3 3 3 5 W     | 3          |
      | 4 4 4           | 4          |
    Then Ann owns nothing

  @failing.no-worm @case=question-6
  Scenario: A total of 31 without a worm is lost with the last die
    Question 6.

    Given the grill shows 24 31 36
    And Ann owns 23
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 5 5 W | 5          |
      | 4 4 4 4 W       | 4          |
      | 4               | -          |
    Then Ann owns nothing

  @failing.out-of-reach @case=figure-6c
  Scenario: A total of 25 has failed if the 25 is the own top tile and nothing lower is left
    Rulebook, figure 6c.

    Given the grill shows 26 to 36
    And Ann owns 25
    And Bob owns 21 to 24
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 1 2 3 3 W       | 3          |
      | 1 2 3           | 2          |
      | 1 1             | 1          |
    Then Ann owns nothing

  @failing.out-of-reach @case=question-5
  Scenario: A total of 25 has failed if the grill begins above it
    Question 5.

    Given the grill shows 26 28 34
    And Ann owns 25
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 3 4 5 W | W          |
      | 1 2 3 4 4 5 5   | 2          |
      | 1 1 1 3 4 5     | 1          |
      | 5 5 5           | 5          |
    Then Ann owns nothing

  @failing.out-of-reach @case=question-15
  Scenario: A total of 18 has failed by force
    Question 15.

    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 3 4 5 W | W          |
      | 1 1 1 2 4 5 W   | 1          |
      | 2 2 5 W         | 2          |
      | 3 3             | 3          |
    Then Ann owns nothing

  @failing.out-of-reach @case=total-of-20
  Scenario: A total of 20 is not enough for the lowest tile
    Given the grill shows 21 23 to 25 27 to 36
    And Ann owns 22
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 5 W W | W          |
      | 1 2 2 3 4 5     | 2          |
      | 1 1 1 3         | 1          |
      | 3               | 3          |
    Then Ann owns nothing

  @failing.out-of-reach @case=total-of-21
  Scenario: A total of 21 is not always enough
    Given the grill shows 23 to 36
    And Ann owns 21 22
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 W W | W          |
      | 2 2 2 3 4 5     | 2          |
      | 1 1 4           | 1          |
      | 3               | 3          |
    Then Ann owns 21

  @failing.out-of-reach @case=lower-tiles-gone
  Scenario: A high total has failed if all tiles up to it are gone
    Given the grill shows 30 to 36
    And Ann owns 28 22
    And Bob owns 21 23 to 27 29
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 2 3 4 5       | 2          |
      | 3 3 3           | 3          |
    Then Ann owns 28

  @failing.out-of-reach @case=low-total-may-roll-on
  Scenario: A total below every tile does not end the turn while dice are left
    Given the grill shows 30 33
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 4 4 4       | 4          |
      | 3 4             | 3          |
    And Ann stops and takes 30
    Then Ann owns 30

  @failing.return-top @flip-after-return=unless-highest @flip-after-return=always @flip-after-return=before-return @flip-after-return=never @case=top-tile-goes-back
  Scenario: Who fails puts the top tile back on the grill, face up
    Given the grill shows 21 to 23 25 27 to 36
    And Ann owns 24
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 3 4 5 W | W          |
      | 1 2 3 4 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the 24 is face up

  @failing.return-top @case=top-tile-leaves-the-stack
  Scenario: The tile that goes back leaves the stack
    Given the grill shows 21 to 23 25 27 to 36
    And Ann owns 24
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 5 W | W          |
      | 1 1 2 3 4 5 W   | 3          |
      | 3 3 3 W W W     | -          |
    Then Ann owns nothing

  @failing.return-top @case=rest-of-the-stack-stays
  Scenario: Only the top tile goes back, the rest of the stack stays
    Given the grill shows 21 to 23 25 26 28 29 31 to 36
    And Ann owns 27 30 24
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 3 4 4 5 W | W          |
      | 1 2 3 4 5 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then Ann owns 27 30

  @failing.return-top @case=top-even-if-lower
  Scenario: The top tile goes back even if a higher one lies below
    Given the grill shows 21 to 23 25 to 34 36
    And Ann owns 35 24
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 2 3 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then Ann owns 35

  @failing.return-top @flip-after-return=unless-highest @flip-after-return=always @flip-after-return=before-return @flip-after-return=never @case=back-at-a-forced-end
  Scenario: The top tile goes back after running out of dice too
    Given the grill shows 21 to 23 25 27 to 36
    And Ann owns 24
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 1 1 1 2 4 5 W | 1          |
      | 2 2 5 W         | 2          |
      | 5 W             | W          |
      | 3               | 3          |
    Then the 24 is face up

  @failing.return-top @flip-after-return=unless-highest @flip-after-return=always @flip-after-return=before-return @flip-after-return=never @case=returned-tile-can-be-taken
  Scenario: The next player may take the tile that came back
    Given the grill shows 21 to 23 25 to 36
    And Ann owns 24
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 2 3 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    And Bob rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
    And Bob stops and takes 24
    Then Bob owns 24

  @failing.flip-highest @flip-after-return=unless-highest @flip-after-return=always @flip-after-return=before-return @case=highest-is-turned
  Scenario: After a return the grill loses its highest tile
    Given the grill shows 21 to 23 25 27 to 36
    And Ann owns 24
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 2 3 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the 36 is face down

  @failing.flip-highest @flip-after-return=never @case=highest-is-not-turned
  Scenario: After a return the grill keeps its highest tile
    Given the grill shows 21 to 23 25 27 to 36
    And Ann owns 24
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 2 3 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the 36 is face up

  @failing.flip-highest @flip-after-return=unless-highest @flip-after-return=always @flip-after-return=before-return @case=figure-7a
  Scenario: With the 34 as the highest tile of the grill, the 34 is turned
    Rulebook, figure 7a.

    Given the grill shows 21 to 25 27 to 34
    And Ann owns 26
    And Bob owns 35 36
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 3 4 4 5 W | W          |
      | 1 2 3 4 5 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 21 to 33

  @failing.flip-highest @flip-after-return=unless-highest @flip-after-return=always @flip-after-return=before-return @case=question-10
  Scenario: Face-down tiles are passed over, and the highest face-up one is turned
    Question 10.

    Given the grill shows 24 27 34
    And Ann owns 23
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 3 4 4 5 W | W          |
      | 1 2 3 4 5 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the 34 is face down

  @failing.flip-highest @flip-after-return=unless-highest @flip-after-return=always @flip-after-return=before-return @case=question-6-grill
  Scenario: A lost total of 31 leaves the 31, and turns the 36 above it
    Question 6.

    Given the grill shows 24 31 36
    And Ann owns 23
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 5 5 W | 5          |
      | 4 4 4 4 W       | 4          |
      | 4               | -          |
    Then the grill shows 23 24 31

  @failing.flip-highest @flip-after-return=never @case=question-10-never
  Scenario: With no tile turned the grill only gains the one that came back
    Question 10.

    Given the grill shows 24 27 34
    And Ann owns 23
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 5 W | W          |
      | 1 1 2 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 23 24 27 34

  @failing.flip-highest @flip-after-return=both @case=question-10-both
  Scenario: Of a returned tile and a higher one both are turned
    Question 10.

    Given the grill shows 24 27 34
    And Ann owns 23
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 5 W | W          |
      | 1 1 2 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 24 27

  @failing.return-top @flip-after-return=both @case=top-tile-goes-back-face-down
  Scenario: A top tile that is turned at once has left the stack all the same
    Given the grill shows 21 to 23 25 27 to 36
    And Ann owns 24
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 2 3 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then Ann owns nothing
    And the 24 is face down

  @failing.flip-highest @flip-after-return=unless-highest @flip-after-return=always @flip-after-return=before-return @case=only-one-is-turned
  Scenario: Only one tile is turned, and not the lowest
    Given the grill shows 21 to 23 25 27 to 36
    And Ann owns 24
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 2 3 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 21 to 25 27 to 35

  @failing.flip-highest @flip-after-return=unless-highest @flip-after-return=always @flip-after-return=before-return @case=turned-again
  Scenario: The next failure turns the next highest tile
    Given the grill shows 21 to 23 26 to 36
    And Ann owns 24
    And Bob owns 25
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 2 3 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    And Bob rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 2 2 3 4 5 W   | 3          |
      | 3 3 3 W W W     | -          |
    Then the 35 is face down

  @failing.flip-highest @flip-after-return=unless-highest @flip-after-return=always @flip-after-return=before-return @case=forced-end-turns-too
  Scenario: A failure by running out of dice turns the highest tile too
    Question 5.

    Given the grill shows 26 28 34
    And Ann owns 25
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 2 3 3 4 5 W   | 2          |
      | 1 1 1 4 5 W     | 1          |
      | 5 5 5           | 5          |
    Then the grill shows 25 26 28

  @failing.returned-highest @flip-after-return=unless-highest @flip-after-return=never @case=figure-7b
  Scenario: A returned tile that is the highest stays, with nothing turned
    Rulebook, figure 7b.

    Given the grill shows 21 to 29
    And Ann owns 30
    And Bob owns 31 to 36
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 3 4 4 5 W | W          |
      | 1 2 3 4 5 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 21 to 30

  @failing.returned-highest @flip-after-return=always @flip-after-return=both @case=figure-7b-always
  Scenario: A returned tile that is the highest is turned at once
    Rulebook, figure 7b, played the short way.

    Given the grill shows 21 to 29
    And Ann owns 30
    And Bob owns 31 to 36
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 2 3 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 21 to 29

  @failing.returned-highest @flip-after-return=before-return @case=figure-7b-before
  Scenario: A tile about to return as the highest has the 29 turned before it
    Rulebook, figure 7b, with the turning first.

    Given the grill shows 21 to 29
    And Ann owns 30
    And Bob owns 31 to 36
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 5 5 W | W          |
      | 1 2 3 4 5 W W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 21 to 28 30

  @failing.returned-highest @flip-after-return=unless-highest @flip-after-return=never @case=question-9
  Scenario: A 30 that comes back above a 28 joins the grill
    Question 9.

    Given the grill shows 21 to 28
    And Ann owns 29 30
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 5 W | W          |
      | 1 1 2 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 21 to 28 30

  @failing.returned-highest @flip-after-return=always @flip-after-return=both @case=question-9-always
  Scenario: A 30 that comes back above a 28 is turned
    Question 9.

    Given the grill shows 21 to 28
    And Ann owns 29 30
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 2 3 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 21 to 28

  @failing.returned-highest @flip-after-return=before-return @case=question-9-before
  Scenario: Before a 30 comes back the 28 is turned
    Question 9.

    Given the grill shows 21 to 28
    And Ann owns 29 30
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 5 5 W | W          |
      | 1 2 3 4 5 W W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 21 to 27 30

  @failing.returned-highest @flip-after-return=unless-highest @flip-after-return=never @case=question-21
  Scenario: A 30 comes back beside a last 22
    Question 21.

    Given the grill shows 22
    And Ann owns 30
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 3 4 5 W | W          |
      | 1 2 3 4 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 22 30

  @failing.returned-highest @flip-after-return=always @flip-after-return=both @case=question-21-always
  Scenario: A 30 that comes back beside a last 22 is turned
    Question 21.

    Given the grill shows 22
    And Ann owns 30
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 5 5 W | W          |
      | 1 2 3 4 5 W W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 22

  @failing.returned-highest @flip-after-return=before-return @case=question-21-before
  Scenario: A last 22 is turned before a 30 comes back
    Question 21.

    Given the grill shows 22
    And Ann owns 30
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 3 4 4 5 W | W          |
      | 1 2 3 4 5 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 30

  @failing.returned-highest @flip-after-return=unless-highest @flip-after-return=never @case=last-of-the-row-returns
  Scenario: A 36 that comes back is the highest again, and nothing is turned
    Given the grill shows 21 to 25 27 to 35
    And Ann owns 36
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 5 5 W | W          |
      | 1 2 3 4 5 W W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 21 to 25 27 to 36

  @failing.returned-highest @flip-after-return=always @flip-after-return=both @case=last-of-the-row-is-turned
  Scenario: A 36 that comes back is turned face down
    Given the grill shows 21 to 25 27 to 35
    And Ann owns 36
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 2 3 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 21 to 25 27 to 35

  @failing.returned-highest @flip-after-return=before-return @case=last-but-one-is-turned
  Scenario: Before a 36 comes back the 35 is turned
    Given the grill shows 21 to 25 27 to 35
    And Ann owns 36
    And Bob owns 26
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 2 3 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 21 to 25 27 to 34 36

  @failing.nothing-returned @flip-without-return=no @case=nothing-to-return
  Scenario: Without a tile to return nothing is turned over
    Question 11.

    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 3 4 5 W | W          |
      | 1 2 3 4 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 21 to 36

  @failing.nothing-returned @flip-without-return=yes @case=nothing-to-return-turns
  Scenario: Even without a tile to return the highest one is turned over
    Question 11.

    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 2 3 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the grill shows 21 to 35

  @failing.nothing-returned @flip-without-return=no @case=question-15-grill
  Scenario: A turn that runs out of dice leaves the grill alone if there is nothing to return
    Question 15.

    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 1 1 3 4 5 W   | 1          |
      | 2 2 4 5         | 2          |
      | 3 3             | 3          |
    Then the grill shows 21 to 36

  @failing.nothing-returned @flip-without-return=yes @case=question-15-grill-turns
  Scenario: A turn that runs out of dice turns the 36 even if there is nothing to return
    Question 15.

    Given the grill shows 21 to 36
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 3 4 5 W | W          |
      | 1 1 1 2 4 5 W   | 1          |
      | 2 2 5 W         | 2          |
      | 3 3             | 3          |
    Then the grill shows 21 to 35

  @failing.nothing-returned @flip-without-return=no @case=last-tile-stays
  Scenario: A failure with nothing to return leaves the last tile, and the game goes on
    Question 20.

    Given the grill shows 22
    And Ann owns nothing
    And Bob owns 28
    When Ann rolls
      | dice            | sets aside |
      | 1 2 2 3 3 4 5 W | W          |
      | 1 2 3 4 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the game goes on

  @failing.nothing-returned @flip-without-return=yes @case=last-tile-is-turned
  Scenario: A failure with nothing to return can turn the last tile, and the game is over
    Question 20.

    Given the grill shows 22
    And Ann owns nothing
    And Bob owns 28
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 5 5 W | W          |
      | 1 2 3 4 5 W W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the game is over

  @failing.face-down-for-good @case=face-down-after-a-failure
  Scenario: A failed turn turns no tile up again
    The 29 lies face down.

    Given the grill shows 21 to 23 25 to 28 35
    And Ann owns 24
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 5 5 W | W          |
      | 1 2 3 4 5 W W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the 29 is face down

  @failing.face-down-for-good @case=face-down-after-a-claim
  Scenario: A claim turns no tile up again
    The 36 lies face down.

    Given the grill shows 21 to 35
    And Ann owns nothing
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 5 W W W | W          |
      | 2 3 3 3 4       | 3          |
    And Ann stops and takes 24
    Then the 36 is face down

  @failing.face-down-for-good @case=face-down-is-nobodys
  Scenario: A tile that lay face down before a failure can't be claimed after it
    The 29 lies face down.

    Given the grill shows 21 to 23 25 to 28 35
    And Ann owns 24
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 5 5 W | W          |
      | 1 2 3 4 5 W W   | 2          |
      | 2 2 2 W W W     | -          |
    And Bob rolls
      | dice            | sets aside |
      | 1 4 5 W W W W W | W          |
      | 1 4 W           | 4          |
    And Bob stops and takes 29
    Then this is refused

  @failing.passes @case=next-after-a-dead-roll
  Scenario: After a dead roll the next player is on
    Given the grill shows 21 to 23 25 27 29 to 36
    And Ann owns 24
    And Bob owns 26
    And Cas owns 28
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 3 4 4 5 W | W          |
      | 1 2 3 4 5 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then it is Bob's turn

  @failing.passes @case=next-after-a-forced-end
  Scenario: After running out of dice the next player is on
    Given the grill shows 21 to 23 25 27 29 to 36
    And Ann owns 24
    And Bob owns 26
    And Cas owns 28
    When Ann rolls
      | dice            | sets aside |
      | 1 1 1 1 2 3 5 W | 1          |
      | 1 2 2 W         | 2          |
      | 1 W             | W          |
      | 3               | 3          |
    Then it is Bob's turn

  @failing.passes @case=last-seat-passes-to-the-first
  Scenario: After the last seat's failure the first player is on
    Given the grill shows 21 to 23 25 27 29 to 36
    And Ann owns 26
    And Bob owns 28
    And Cas owns 24
    When Cas rolls
      | dice            | sets aside |
      | 1 1 2 3 4 5 5 W | W          |
      | 1 1 2 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then it is Ann's turn

  @failing.passes @case=others-keep-their-tiles
  Scenario: A failure costs nobody else a tile
    Given the grill shows 21 to 23 26 to 36
    And Ann owns 24
    And Bob owns 25
    When Ann rolls
      | dice            | sets aside |
      | 1 1 2 2 3 4 5 W | W          |
      | 1 2 3 3 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then Bob owns 25

  @failing.passes @case=nobody-gains
  Scenario: The returned tile goes to the grill, not to the next player
    Given the grill shows 21 to 23 25 to 36
    And Ann owns 24
    And Bob owns nothing
    When Ann rolls
      | dice            | sets aside |
      | 1 2 3 4 4 5 5 W | W          |
      | 1 2 3 4 5 W W   | 2          |
      | 2 2 2 W W W     | -          |
    Then Bob owns nothing

  @failing.flip-highest @flip-after-return=unless-highest @flip-after-return=always @flip-after-return=before-return @case=five-players-turn-too
  Scenario: With five players a failed turn turns the highest tile as well
    Given the grill shows 21 22 34
    And Ann owns 23
    And Bob owns 25
    And Cas owns 26
    And Dee owns 27
    And Eve owns 28 24
    When Eve rolls
      | dice            | sets aside |
      | 1 2 2 3 3 4 5 W | W          |
      | 1 2 3 4 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then the 34 is face down

  @failing.return-top @flip-after-return=unless-highest @flip-after-return=always @flip-after-return=before-return @flip-after-return=never @case=seventh-player-returns
  Scenario: The last of seven players returns the top tile like everybody
    Given the grill shows 21 22 33 34
    And Ann owns nothing
    And Bob owns 25
    And Cas owns 26
    And Dee owns nothing
    And Eve owns 28
    And Fay owns 29
    And Gus owns 30 24
    When Gus rolls
      | dice            | sets aside |
      | 1 2 2 3 3 4 5 W | W          |
      | 1 2 3 4 4 5 W   | 2          |
      | 2 2 2 W W W     | -          |
    Then Gus owns 30
    And the 24 is face up
