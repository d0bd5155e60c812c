const inputs =
  "0123456789()[],'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#\"\\ ";
const outputs = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const generator = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn];

/** The eight characters after the # of an output descriptor (BIP 380). Null when a character cannot stand in one. */
export function descriptorChecksum(descriptor: string): string | null {
  let state = 1n;
  let group = 0;
  let inGroup = 0;
  for (const character of descriptor) {
    const place = inputs.indexOf(character);
    if (place < 0) return null;
    state = step(state, place & 31);
    group = group * 3 + (place >> 5);
    inGroup += 1;
    if (inGroup === 3) {
      state = step(state, group);
      group = 0;
      inGroup = 0;
    }
  }
  if (inGroup > 0) state = step(state, group);
  for (let i = 0; i < 8; i++) state = step(state, 0);
  state ^= 1n;
  return Array.from(
    { length: 8 },
    (_, i) => outputs[Number((state >> BigInt(5 * (7 - i))) & 31n)],
  ).join("");
}

function step(state: bigint, value: number): bigint {
  const top = state >> 35n;
  const next = ((state & 0x7ffffffffn) << 5n) ^ BigInt(value);
  return generator.reduce(
    (mixed, each, i) => ((top >> BigInt(i)) & 1n ? mixed ^ each : mixed),
    next,
  );
}
