import type { Log } from '../src/platform/database/log.ts'

export const quietLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
