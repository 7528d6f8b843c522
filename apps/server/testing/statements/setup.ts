// Fails the test during which the product sent a statement that names no school
// (docs/rules/database.md#the-school-in-every-key-and-statement).
import { afterAll, afterEach } from 'vitest'
import { takeOffences } from './offences.ts'

afterEach(failOnOffences)
afterAll(failOnOffences)

function failOnOffences(): void {
  const offences = takeOffences()
  if (offences.length > 0)
    throw new Error(`A statement does not name its school.\n${offences.join('\n')}`)
}
