import type { Log } from '../sql/log.ts'

export const quietLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
