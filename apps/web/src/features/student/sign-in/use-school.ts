import type { SchoolInfo } from '@jiaowu/api/contract/student/student'
import { useEffect, useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'

/**
 * School name, links and parameters in the user's language; null while loading and after a failed
 * request.
 */
export function useSchool(): SchoolInfo | null {
  const { locale } = useText()
  const { api } = useApi()
  const [school, setSchool] = useState<SchoolInfo | null>(null)
  useEffect(() => {
    const request = new AbortController()
    api.student.school({ query: {}, signal: request.signal }).then(setSchool, () => {})
    return () => request.abort()
  }, [api, locale])
  return school
}
