import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Where } from '@jiaowu/api/entity/list/list-query'
import { schoolTime } from '@jiaowu/api/formats'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { stat } from 'node:fs/promises'
import { CommandError, exitCodes } from '../exit.ts'
import { fileFault } from '../files/file-fault.ts'

export interface ChangedSince {
  readonly since?: string | undefined
  readonly changedAfter?: string | undefined
}

const hours: Readonly<Record<string, number>> = { h: 1, d: 24, w: 168 }
const hourMs = 3_600_000
const day = /^\d{4}-\d\d-\d\d$/
const moment = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?$/

/**
 * The condition of `--since` and `--changed-after`, on the time of the last change; null without either. Deleted rows
 * are in no list. @throws CommandError (usage) for another text, and for an entity that keeps no time
 */
export async function buildChangedSince(
  config: Pick<EntityConfig, 'times' | 'tag'>,
  { since, changedAfter }: ChangedSince,
  locale: Locale,
  now = Date.now(),
): Promise<Where | null> {
  const starts = [
    ...(since === undefined ? [] : [readSince(since, now, locale)]),
    ...(changedAfter === undefined ? [] : [await readChange(changedAfter, locale)]),
  ]
  if (starts.length === 0) return null
  const { times = [], tag } = config
  const column = times.includes('updateTime') ? 'updateTime' : times[0]
  if (column === undefined)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.noTimes', { tag }))
  return { and: starts.map((value) => ({ column, op: 'ge', value })) }
}

/** As the lists of the school write it. */
function readSince(text: string, now: number, locale: Locale): string {
  const [, count, unit] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  if (count !== undefined)
    return schoolTime(
      new Date(now - Number(count) * (hours[unit ?? ''] ?? 0) * hourMs).toISOString(),
    )
  if (day.test(text)) return `${text} 00:00:00`
  const [, date, minute, second = ':00'] = moment.exec(text) ?? []
  if (date === undefined)
    throw new CommandError(exitCodes.usage, t(locale, 'cli.badSince', { value: text }))
  return `${date} ${minute}${second}`
}

/** When the file was last written. Rows of the same second come again: none is left out. */
async function readChange(path: string, locale: Locale): Promise<string> {
  try {
    return schoolTime((await stat(path)).mtime.toISOString())
  } catch (error) {
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.cannotRead', { path, reason: fileFault(locale, error) }),
    )
  }
}
