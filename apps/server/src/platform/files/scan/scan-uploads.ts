import type { PlatformContext } from '../../context.ts'
import { Refusal } from '../../refusal.ts'
import { askClamd } from './clamd.ts'

type Scanning = Pick<PlatformContext, 'settings' | 'log' | 'auditAlone'>

/**
 * Has every file of a request scanned before a handler sees it (docs/rules/security.md#f13).
 * @throws Refusal 422 with the signature that was found, 503 without an answer of the scanner
 */
export async function scanUploads(
  { settings: { clamd }, log, auditAlone }: Scanning,
  call: string,
  body: unknown,
): Promise<void> {
  if (clamd === undefined || typeof body !== 'object' || body === null) return
  for (const [path, value] of Object.entries(body)) {
    if (!(value instanceof Blob)) continue
    const verdict = await askClamd(clamd.address, new Uint8Array(await value.arrayBuffer()))
    if (verdict.kind === 'found') {
      const { signature } = verdict
      await auditAlone({
        action: 'upload.refuse',
        object: call,
        result: 'denied',
        detail: { signature, bytes: value.size },
      })
      throw new Refusal(422, { key: 'file.infected', params: { signature } }, { data: { path } })
    }
    if (verdict.kind === 'clean') continue
    log.error(
      { call, why: verdict.why, accepted: clamd.whenAway === 'accept' },
      'clamd gave no verdict',
    )
    if (clamd.whenAway === 'refuse')
      throw new Refusal(503, { key: 'file.scannerAway' }, { retryAfter: 30 })
  }
}
