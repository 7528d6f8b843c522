/**
 * Cost of password hashes in tests; that of the product takes 0.3 s of processor time a sign-in. A hash
 * stores its cost, so the server needs no switch.
 */
export const cheapHash = { log2: 12 }
