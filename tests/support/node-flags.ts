/**
 * Options of node for servers that tests start. They live too briefly to gain from optimised
 * WebAssembly of the embedded database. Garbage is collected on one thread, since other tests keep the
 * processors busy.
 */
export const nodeFlags: readonly string[] = ['--liftoff-only', '--single-threaded-gc']
