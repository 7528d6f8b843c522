import { t } from '@jiaowu/api/texts/index'
import type { Memory, MemoryKind } from '../../platform/memory.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { hashOfContent } from '../content/content-hash.ts'
import type { PrintedContent } from '../content/printed.ts'
import type { DocumentContent, School } from '../../platform/database/tables/document-content.ts'
import type { Issue } from '../content/issue.ts'
import type { Keys } from '../../platform/keys/keys.ts'
import { openedContent } from '../content/sealed.ts'
import { drawInWorker } from './draw-pool.ts'
import type { DocumentRow } from '../content/rows.ts'
import type { Drawing } from '../pdf/layout/frame.ts'
import { signingIdentity } from '../signing/identity.ts'
import type { SigningNote } from '../signing/sign.ts'
import type { DrawJob } from './draw-job.ts'

/** The public page that verifies a code; without a code, the page that asks for one. */
function verifyAddress({ publicUrl }: Settings, code: string): string {
  return `${publicUrl}/#/verify${code === '' ? '' : `/${code}`}`
}

/** Concurrent and repeated requests for the same pages share one drawing for a minute. */
const previews: MemoryKind<Promise<Uint8Array>> = { name: 'previews', limit: 40, age: 60_000 }
const checks: MemoryKind<Promise<Uint8Array>> = { name: 'document checks', limit: 40, age: 60_000 }

interface Drawer {
  readonly settings: Settings
  readonly memory: Memory
}

/** Watermarked pages without number, code, seal or signature. */
export function drawPreview(
  { settings, memory }: Drawer,
  content: DocumentContent,
): Promise<Uint8Array> {
  return memory.share(previews, hashOfContent(content), () =>
    drawInWorker({
      drawing: {
        content,
        issue: null,
        verifySite: '',
        verifyUrl: '',
        fonts: settings.documentFonts,
      },
      signing: null,
    }),
  )
}

/** Has the shape of real ones. */
const sampleIssue = { number: 'T-2000-000000', code: '0123456789ABCDEF', issuedAt: '2000-10-20' }

/**
 * Draws the final pages of a content, before it is sold, as far as they can be drawn without a number.
 * @throws Refusal 422 naming the characters that cannot be drawn, 503 when too many jobs wait
 */
export async function assertDrawable(
  { settings, memory }: Drawer,
  content: DocumentContent,
): Promise<void> {
  await memory.share(checks, hashOfContent(content), () =>
    drawInWorker({
      drawing: finalDrawing(settings, content, sampleIssue),
      signing: null,
      isCheck: true,
    }),
  )
}

function finalDrawing(settings: Settings, content: PrintedContent, issue: Issue): Drawing {
  return {
    content,
    issue,
    verifySite: verifyAddress(settings, '').replace(/^https?:\/\//, ''),
    verifyUrl: verifyAddress(settings, issue.code),
    fonts: settings.documentFonts,
  }
}

/**
 * The final file of a claim. The same claim gives the same bytes while certificate, fonts and
 * public address stay the same.
 */
export async function drawFinal(
  { settings, keys }: { readonly settings: Settings; readonly keys: Keys },
  row: DocumentRow,
): Promise<Uint8Array> {
  const { number, code, issued_at: issuedAt } = row
  const content = openedContent(keys, row.content)
  const { school } = content
  return await drawInWorker({
    drawing: finalDrawing(settings, content, { number, code, issuedAt }),
    signing: await chooseSigning(settings, row.tenant_id, {
      school,
      reason: `Document ${number}`,
      at: new Date(issuedAt),
    }),
  })
}

/** The signed pages of a case as it is now. @throws Refusal 422 naming what cannot be drawn, 503 */
export async function drawSheet(
  settings: Settings,
  tenant: string,
  { content, number, at }: SheetToDraw,
): Promise<Uint8Array> {
  return await drawInWorker({
    drawing: finalDrawing(settings, content, { number, code: '', issuedAt: at.toISOString() }),
    signing: await chooseSigning(settings, tenant, {
      school: content.school,
      reason: `Case ${number}`,
      at,
    }),
  })
}
interface SheetToDraw {
  readonly content: PrintedContent
  readonly number: string
  readonly at: Date
}

/** The texts are plain ASCII, because the library writes them byte by byte. */
async function chooseSigning(
  settings: Settings,
  tenant: string,
  { school, reason, at }: Pick<SigningNote, 'reason' | 'at'> & { readonly school: School },
): Promise<NonNullable<DrawJob['signing']>> {
  const identity = await signingIdentity(
    settings,
    tenant,
    school.name,
    t('zh-CN', 'paper.signedBy', { school: school.name }),
  )
  return {
    identity,
    note: { name: school.nameEn, reason, location: 'CN', contact: settings.publicUrl, at },
  }
}
