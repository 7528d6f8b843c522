/**
 * Options of node for servers that tests start. Optimised machine code for the embedded database does
 * not pay in their short lives, and threads that collect garbage wait for processors that other tests
 * use.
 */
export const nodeFlags: readonly string[] = ['--liftoff-only', '--single-threaded-gc']
