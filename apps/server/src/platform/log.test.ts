import pg from 'pg'
import { expect, it } from 'vitest'
import { serialiseError } from './log.ts'

it('tells what went wrong, not whose data it was', () => {
  const error = Object.assign(
    new pg.DatabaseError(
      'duplicate key value violates unique constraint "student_id_number"',
      0,
      'error',
    ),
    { code: '23505', detail: 'Key (id_number)=(110101199003071234) already exists.' },
  )
  const told = serialiseError(error)
  expect(told).toMatchObject({
    code: '23505',
    message: expect.stringContaining('student_id_number') as string,
    stack: expect.any(String) as string,
  })
  expect(JSON.stringify(told)).not.toContain('110101199003071234')
})
