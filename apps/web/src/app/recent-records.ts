import { limits } from '@jiaowu/api/limits'
import { parseJson } from '@jiaowu/api/exact-json'
import type { UserInfo } from '@jiaowu/api/contract/session'
import { useEffect } from 'react'
import * as v from 'valibot'
import { useApi } from './api-context.ts'

const schema = v.array(v.object({ tag: v.string(), id: v.string() }))
export type RecordPlace = v.InferOutput<typeof schema>[number]

/**
 * The records that the user opened last on this device, the newest first. Kept without their names, which
 * the server gives by the rights of the moment.
 */
export function listRecentRecords(user: UserInfo | null): readonly RecordPlace[] {
  try {
    const parsed = v.safeParse(schema, parseJson(localStorage.getItem(buildKey(user)) ?? '[]'))
    return parsed.success ? parsed.output.slice(0, limits.recentRecords) : []
  } catch {
    return []
  }
}

/** Remembers the record that is shown; null: none, or a sample. */
export function useRecentRecord(tag: string, row: { readonly id: string } | null): void {
  const { user } = useApi()
  const id = row?.id ?? null
  useEffect(() => {
    if (id !== null) rememberRecord(user, { tag, id })
  }, [user, tag, id])
}

function rememberRecord(user: UserInfo | null, { tag, id }: RecordPlace): void {
  const others = listRecentRecords(user).filter((each) => each.tag !== tag || each.id !== id)
  const records = [{ tag, id }, ...others].slice(0, limits.recentRecords)
  try {
    localStorage.setItem(buildKey(user), JSON.stringify(records))
  } catch {
    // The storage of the browser is full or forbidden.
  }
}

function buildKey(user: UserInfo | null): string {
  return `JIAOWU_RECENT ${user?.tenant ?? ''} ${user?.account ?? ''}`
}
