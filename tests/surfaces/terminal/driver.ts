/** The words of a driver's table: what a frame shows, and which keys an event is. */
export * as by from './gestures.ts'
export * as read from './reads.ts'
export type { TerminalGesture } from './gestures.ts'
export type { TerminalUser } from './screen.tsx'
export { createTerminalDriver, on, showWhen, type Shown } from './table.ts'
export { always, joinTexts, under, zh } from '../sentences.ts'
export { countSeconds, stations, formatMessages } from './messages.ts'
