import type { Row } from '@jiaowu/api'
import type { CommandLine } from '../command-line.ts'
export const openForm = (_line: CommandLine, _tag: string, _id: string | null): Promise<Row | null> => Promise.resolve(null)
