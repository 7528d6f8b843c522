export { graphFindings, testMachine, type TestOptions, testSurface } from './run/test-machine.ts'
