import { expect, it } from 'vitest'
import { inTrace } from '../platform/requests/trace.ts'
import {
  buildReplyHeaders,
  replySecured,
  withSecurityHeaders,
} from './requests/security-headers.ts'
import { securityTxt } from './security-txt.ts'

const now = new Date('2026-11-26T15:00:00Z')

it('names the contacts in order, and expires within a year', () => {
  const settings = {
    securityContacts: ['mailto:security@jw.example.edu.cn', 'tel:+86-10-1234'],
    publicUrl: 'https://jw.example.edu.cn',
  }
  expect(securityTxt(settings, now)).toBe(
    [
      'Contact: mailto:security@jw.example.edu.cn',
      'Contact: tel:+86-10-1234',
      'Expires: 2027-02-24T00:00:00.000Z',
      'Preferred-Languages: zh, en',
      'Canonical: https://jw.example.edu.cn/.well-known/security.txt',
      '',
    ].join('\n'),
  )
  expect(securityTxt({ ...settings, publicUrl: 'http://10.0.0.1' }, now)).not.toContain('Canonical')
})

it('is absent without a contact', () => {
  expect(securityTxt({ securityContacts: [], publicUrl: 'https://a.example' }, now)).toBeUndefined()
})

it('asks browsers for https only over https, for the given seconds', () => {
  const hsts = (secure: boolean, maxAge: number) => {
    const trace = { id: 'id', reply: buildReplyHeaders(secure, maxAge, undefined) }
    const made = inTrace(trace, () => replySecured('', 200, {}))
    const names = [withSecurityHeaders(new Response(), trace), made].map(({ headers }) =>
      headers.get('strict-transport-security'),
    )
    expect(names[0]).toBe(names[1])
    return names[0]
  }
  expect(hsts(false, 300)).toBeNull()
  expect(hsts(true, 300)).toBe('max-age=300; includeSubDomains')
  expect(hsts(true, 0)).toBe('max-age=0; includeSubDomains')
})
