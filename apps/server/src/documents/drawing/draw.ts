import { t } from '@jiaowu/api'
import type { Settings } from '../../platform/settings/settings.ts'
import { hashOfContent } from '../content/content-hash.ts'
import type { DocumentContent } from '../content/content.ts'
import { drawElsewhere } from './draw-pool.ts'
import { recently } from '../content/recent.ts'
import type { DocumentRow } from '../content/rows.ts'
import { signingIdentity } from '../signing/identity.ts'

/** Where a verification code is looked up; the web's public route. */
export function verifyAddress({ publicUrl }: Settings, code: string): string {
  return `${publicUrl}/#/verify${code === '' ? '' : `/${code}`}`
}

const recentPreviews = recently<Uint8Array>()
/** Watermarked pages without number, code, seal or signature. */
export function drawPreview(content: DocumentContent): Promise<Uint8Array> {
  return recentPreviews(hashOfContent(content), () =>
    drawElsewhere({
      drawing: { content, issue: null, verifySite: '', verifyUrl: '' },
      signing: null,
    }),
  )
}

/** The final file of a claim: the same claim gives the same bytes, as long as certificate, fonts and public address stay. */
export async function drawFinal(
  { settings }: { readonly settings: Settings },
  row: DocumentRow,
): Promise<Uint8Array> {
  const { content, number, code, issued_at: issuedAt } = row
  const { school } = content
  const identity = await signingIdentity(
    settings,
    row.tenant_id,
    school.name,
    t('zh-CN', 'paper.signedBy', { school: school.name }),
  )
  return await drawElsewhere({
    drawing: {
      content,
      issue: { number, code, issuedAt },
      verifySite: verifyAddress(settings, '').replace(/^https?:\/\//, ''),
      verifyUrl: verifyAddress(settings, code),
    },
    // Plain ASCII: the library writes these strings byte by byte.
    signing: {
      identity,
      note: {
        name: school.nameEn,
        reason: `Document ${number}`,
        location: 'CN',
        contact: settings.publicUrl,
        at: new Date(issuedAt),
      },
    },
  })
}
