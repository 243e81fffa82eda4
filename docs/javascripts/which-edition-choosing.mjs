/** Which question to ask next, and which editions the answers leave. */

/** The answer of somebody who does not know. */
export const UNKNOWN = "unknown";

// A box is likelier to lie on the table than a retelling of it.
const WEIGHTS = { box: 4, variant: 2, retelling: 1 };

/** The editions that contradict no answer, in their order. `answers` is a map by ruling. */
export function editionsLeft(editions, answers) {
  return Object.keys(editions).filter((name) =>
    [...answers].every(([ruling, value]) => value === UNKNOWN || editions[name].rulings[ruling] === value),
  );
}

/**
 * The question whose answer leaves the fewest editions, likelier ones counting more; null if
 * none that is left to ask can tell them apart.
 */
export function nextQuestion(rulings, editions, answers) {
  const left = editionsLeft(editions, answers);
  let best = null;
  for (const ruling of Object.keys(rulings)) {
    if (answers.has(ruling)) continue;
    const weights = new Map();
    for (const name of left) {
      const value = editions[name].rulings[ruling];
      weights.set(value, (weights.get(value) ?? 0) + WEIGHTS[editions[name].kind]);
    }
    if (weights.size < 2) continue;
    // Whoever is left with weight w was there with probability w/all: so w is left on average.
    const remaining = [...weights.values()].reduce((sum, weight) => sum + weight * weight, 0);
    if (!best || remaining < best.remaining) best = { ruling, remaining };
  }
  return best?.ruling ?? null;
}

/** The edition that departs least from these values; among equals the likelier one. */
export function nearest(editions, values) {
  const departures = (name) =>
    [...values].filter(([ruling, value]) => editions[name].rulings[ruling] !== value).length;
  const weight = (name) => WEIGHTS[editions[name].kind];
  const [first] = Object.keys(editions).sort(
    (one, other) => departures(one) - departures(other) || weight(other) - weight(one),
  );
  return first;
}
