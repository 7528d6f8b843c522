import type { SchoolInfo } from '@jiaowu/api/contract/student/student'
import { useEffect, useState } from 'react'
import { useApp } from '../../../app/app-context.tsx'

/**
 * School name, links and parameters in the user's language; null while loading and after a failed
 * request.
 */
export function useSchool(): SchoolInfo | null {
  const { api, locale } = useApp()
  const [school, setSchool] = useState<SchoolInfo | null>(null)
  useEffect(() => {
    const request = new AbortController()
    api.student.school({ query: {}, signal: request.signal }).then(setSchool, () => {})
    return () => request.abort()
  }, [api, locale])
  return school
}
