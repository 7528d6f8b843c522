import pg from 'pg'
import { expect, it } from 'vitest'
import { serialiseError } from './log.ts'

it('logs the error without the personal data that caused it', () => {
  const error = Object.assign(
    new pg.DatabaseError(
      'duplicate key value violates unique constraint "student_id_number"',
      0,
      'error',
    ),
    { code: '23505', detail: 'Key (id_number)=(110101199003071234) already exists.' },
  )
  const logged = serialiseError(error)
  expect(logged).toMatchObject({
    code: '23505',
    message: expect.stringContaining('student_id_number') as string,
    stack: expect.any(String) as string,
  })
  expect(JSON.stringify(logged)).not.toContain('110101199003071234')
})
