// The machine and its settings: they need no database.
import { accessSync, constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { askClamd } from '../../platform/files/scan/clamd.ts'
import { fileStore } from '../../platform/files/store.ts'
import { readPkcs12 } from '../../documents/signing/identity.ts'
import { checkProviders } from '../../payments/check-providers.ts'
import { X509Certificate } from 'node:crypto'
import type { Complaint, Patient } from './finding.ts'
import { complain, warn } from './finding.ts'

const [mb, day] = [1024 ** 2, 86_400_000]
/** Bytes: writing stops below the first (platform/database/embedded/free-space.ts). */
const [stopsBelow, tightBelow] = [512 * mb, 2048 * mb]
const certificateDays = 30

interface MachineCheck {
  readonly name: string
  readonly look: (patient: Patient) => Promise<readonly Complaint[]>
}

export const machineChecks: readonly MachineCheck[] = [
  { name: 'settings', look: async (patient) => lookAtSettings(patient) },
  { name: 'folder', look: lookAtFolder },
  { name: 'disk', look: lookAtDisk },
  { name: 'files', look: lookAtStore },
  { name: 'scanner', look: lookAtScanner },
  { name: 'providers', look: lookAtProviders },
  { name: 'certificate', look: lookAtCertificate },
]

function lookAtSettings({ settings, env }: Patient): Complaint[] {
  const isOpen = settings.publicUrl.startsWith('https:')
  const found = [
    settings.appEnv !== 'production' &&
      isOpen &&
      warn(
        `APP_ENV is ${settings.appEnv} on a site with https.`,
        'Set APP_ENV=production: it refuses doubles of SMS, payments and captchas.',
      ),
    isOpen &&
      settings.trustProxy.length === 0 &&
      warn(
        'PUBLIC_URL is https and TRUST_PROXY is not set: all callers share the address of the proxy, and its limits.',
        'Set TRUST_PROXY to the address of the proxy (docs/operations/install.md).',
      ),
    settings.appEnv === 'production' &&
      settings.backupDir === undefined &&
      warn('No nightly backup is made.', 'Set BACKUP_DIR (docs/operations/backup.md).'),
    settings.appEnv === 'production' &&
      (env['ADMIN_PASSWORD'] ?? '') !== '' &&
      warn(
        'ADMIN_PASSWORD stands in the environment; it counts at the first start only.',
        'Take it out.',
      ),
    settings.smsDailyBudget <= 2_000 &&
      settings.appEnv === 'production' &&
      warn(
        `SMS_DAILY_BUDGET is ${settings.smsDailyBudget}: further students of a day get no code.`,
        'Reckon it by docs/operations/limits.md before admission week.',
      ),
  ]
  return found.filter((each) => each !== false)
}

async function lookAtFolder({ settings: { dataDir } }: Patient): Promise<Complaint[]> {
  const advice = 'Name the right folder in DATA_DIR, or give it to the user of the server.'
  try {
    await access(dataDir)
  } catch {
    return [complain(`DATA_DIR ${dataDir} is not there.`, advice)]
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return []
  } catch {
    return [complain(`DATA_DIR ${dataDir} cannot be written by this user.`, advice)]
  }
}

async function lookAtDisk({ settings: { dataDir, backupDir } }: Patient): Promise<Complaint[]> {
  const found: Complaint[] = []
  for (const folder of backupDir === undefined ? [dataDir] : [dataDir, backupDir]) {
    const stats = await statfs(folder).catch(() => undefined)
    if (stats === undefined) continue
    const free = stats.bavail * stats.bsize
    const text = `The disk of ${folder} has ${Math.round(free / mb)} MB left`
    const advice = 'Free some space, or enlarge the disk; old nightly backups: BACKUP_KEEP.'
    if (free < stopsBelow) found.push(complain(`${text}: nothing is written below 512 MB.`, advice))
    else if (free < tightBelow) found.push(warn(`${text}.`, advice))
  }
  return found
}

async function lookAtStore({ settings }: Patient): Promise<Complaint[]> {
  if (settings.fileDriver === 'disk') return []
  try {
    await fileStore(settings).probe()
    return []
  } catch (error) {
    return [complain(readMessage(error), 'Look at the settings S3_… (docs/files.md).')]
  }
}

async function lookAtScanner({ settings: { clamd } }: Patient): Promise<Complaint[]> {
  if (clamd === undefined) return []
  const verdict = await askClamd(clamd.address, Buffer.from('jiaowu doctor'))
  return verdict.kind === 'clean'
    ? []
    : [
        complain(
          `clamd does not answer as it should: ${verdict.kind === 'unknown' ? verdict.why : verdict.signature}.`,
          'Start clamd, or change CLAMD_SOCKET; CLAMD_AWAY says what happens to uploads meanwhile.',
        ),
      ]
}

async function lookAtProviders({ settings, now }: Patient): Promise<Complaint[]> {
  const checks = await checkProviders({ settings, now }, 'en')
  return checks
    .filter(({ ok }) => !ok)
    .map(({ provider, operation, text }) =>
      complain(
        `${provider} ${operation}: ${text}`,
        'Look at the account at the provider (docs/payments-and-sms.md).',
      ),
    )
}

async function lookAtCertificate({ settings, now }: Patient): Promise<Complaint[]> {
  if (settings.signP12 === undefined) return []
  const { certificates } = readPkcs12(settings.signP12.path, settings.signP12.password)
  const [own] = certificates
  if (own === undefined) return []
  const until = new Date(new X509Certificate(own).validTo)
  const days = Math.floor((until.getTime() - now().getTime()) / day)
  const advice = 'Ask the authority for a new one, and name it in SIGN_P12.'
  if (days < 0)
    return [
      complain(`The certificate that signs documents ended on ${until.toISOString()}.`, advice),
    ]
  return days < certificateDays
    ? [warn(`The certificate that signs documents ends in ${days} days.`, advice)]
    : []
}

export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
