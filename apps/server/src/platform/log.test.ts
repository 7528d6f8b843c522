import pg from 'pg'
import { expect, it } from 'vitest'
import { createLog, serialiseError } from './log.ts'

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

it('masks ID numbers and mobiles in every line, and no record ids', () => {
  const lines: string[] = []
  const log = createLog({ logLevel: 'info' }, { write: (line) => lines.push(line) })
  log.warn(
    { path: '/api/x?idCard=110105194912310021', row: '382918718672801792' },
    'no account of 13812341234',
  )
  log.error({ err: new Error('cannot read 110105194912310021') }, 'failed')
  const text = lines.join('')
  expect(text).not.toMatch(/110105194912310021|13812341234/)
  expect(text).toContain('1****************1')
  expect(text).toContain('138****1234')
  expect(text).toContain('382918718672801792')
})
