"""A small engine of Pickomino, to show how one is checked: one of its rules is not Zoch's."""

from pickomino_conformance import Misfit, Refused

POINTS = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "W": 5}
DICE = 8


class MyEngine:
    """What the harness calls; everything comes and goes as plain dicts and lists."""

    table = None

    def hello(self):
        """Say what the engine can do."""
        return {
            "name": "my engine",
            "version": "0.1",
            "players": [2, 7],
            "capabilities": ["set-table", "start", "choose-claim", "refuse"],
        }

    def start(self, players):
        """Set up a game."""
        if not 2 <= players <= 7:
            raise Refused("two to seven can play")
        grill, stacks = list(range(21, 37)), [[] for _ in range(players)]
        self.table = {"grill": grill, "stacks": stacks, "player": 0}
        return {"table": self.table, "over": False}

    def turn(self, table, rolls, decisions):
        """Play a whole turn; without a table, on the one that the last answer has left."""
        table = table or self.table
        grill, stacks = sorted(table["grill"]), [list(stack) for stack in table["stacks"]]
        player = table["player"]
        if not grill:
            raise Refused("the game is over")
        claim = play_dice(rolls, decisions, lambda kept: claims(grill, stacks, player, kept))
        if claim is None:
            fail(grill, stacks[player])
        elif "steal" in claim:
            stacks[player].append(stacks[claim["steal"]].pop())
        else:
            grill.remove(claim["take"])
            stacks[player].append(claim["take"])
        following = (player + 1) % len(stacks)
        self.table = {"grill": grill, "stacks": stacks, "player": following}
        return {"table": self.table, "over": not grill}


def play_dice(rolls, decisions, open_to):
    """Return what is claimed in the end; None if the turn fails."""
    kept = ""
    for number, roll in enumerate(rolls):
        if len(roll) != DICE - len(kept):
            raise Misfit("another number of dice is rolled", dice=DICE - len(kept))
        if not set(roll) - set(kept):
            return None  # a dead roll
        if number == len(decisions):
            raise Misfit("a face must be chosen", after_rolls=number + 1, wants="decision")
        face = decisions[number]["keep"]
        if face not in roll or face in kept:
            raise Refused(f"{face} can't be set aside")
        kept += face * roll.count(face)
        ended = len(kept) == DICE or set(kept) == set(POINTS)
        if decisions[number]["then"] == "stop":
            return chosen(decisions[number].get("claim"), open_to(kept))
        if ended:
            raise Refused("the rolling is over")
    raise Misfit("the turn goes on", after_rolls=len(rolls), wants="roll")


def claims(grill, stacks, player, kept):
    """Return everything that can be had with these dice."""
    if "W" not in kept:
        return []
    total = sum(POINTS[face] for face in kept)
    lower = [tile for tile in grill if tile <= total]
    takes = [{"take": lower[-1]}] if lower else []
    steals = [
        {"steal": other}
        for other, stack in enumerate(stacks)
        if other != player and stack[-1:] == [total]
    ]
    return takes + steals


def chosen(claim, open_claims):
    """Return the claim if it is open; None if there is nothing to claim."""
    if not open_claims:
        if claim:
            raise Refused("this can't be had")
        return None
    if claim is None:
        raise Misfit("something must be claimed", wants="claim", offers=open_claims)
    if claim not in open_claims:
        raise Refused("this can't be had")
    return claim


def fail(grill, stack):
    """Put the top tile back, and turn the highest one, whether a tile came back or not."""
    returned = stack.pop() if stack else None
    if returned:
        grill.append(returned)
        grill.sort()
    if grill[-1] != returned:
        grill.pop()
