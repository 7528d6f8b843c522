export { runWalks, type WalkOptions, type WalkReport } from './cover/walks.ts'
