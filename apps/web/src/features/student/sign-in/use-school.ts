import type { SchoolInfo } from '@jiaowu/api'
import { useEffect, useState } from 'react'
import { useApp } from '../../../shell/context/app-context.tsx'

/** What the school says of itself, in the person's language; null until it is known, and for good when it cannot be had: no page waits for its footer. */
export function useSchool(): SchoolInfo | null {
  const { api, locale } = useApp()
  const [school, setSchool] = useState<SchoolInfo | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    api.student.school({ query: {}, signal: stop.signal }).then(setSchool, () => {})
    return () => stop.abort()
  }, [api, locale])
  return school
}
