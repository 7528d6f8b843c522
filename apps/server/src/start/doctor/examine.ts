import {
  type Check,
  type Complaint,
  complain,
  type Finding,
  type Open,
  type Patient,
} from './finding.ts'
import { databaseChecks } from './database.ts'
import { machineChecks, readMessage } from './machine.ts'

type Look = () => Promise<readonly Complaint[]>

/** Looks at all parts, one after another; a check that fails is a finding of its own. */
export async function examine(
  patient: Patient,
  more: readonly Check[],
  report: (finding: Finding) => void,
): Promise<readonly Finding[]> {
  const all: Finding[] = []
  const add = (finding: Finding) => {
    all.push(finding)
    report(finding)
  }
  for (const { name, look } of machineChecks) await runCheck(name, () => look(patient), add)
  const { database } = patient
  if (database === null) return all
  const open: Open = { ...patient, database }
  for (const { name, isLong, look } of [...databaseChecks, ...more])
    if (isLong !== true || !patient.isQuick) await runCheck(name, () => look(open), add)
  return all
}

async function runCheck(check: string, look: Look, add: (finding: Finding) => void): Promise<void> {
  const complaints = await look().catch((error: unknown) => [
    complain(
      `The check itself failed: ${readMessage(error)}`,
      'Mend what stands above, and try again.',
    ),
  ])
  for (const { grade, found, advice } of complaints) add({ check, grade, found, advice })
  if (complaints.length === 0) add({ check, grade: 'ok', found: '', advice: null })
}
