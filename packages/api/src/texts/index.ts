import type { Locale } from '../locale.ts'
import { adminTexts } from './console/admin.ts'
import { administrationTexts } from './console/administration.ts'
import { attachmentTexts } from './console/attachment.ts'
import { auditTexts } from './server/audit.ts'
import { bulkTexts } from './console/bulk.ts'
import { cliBulkTexts } from './terminal/cli-bulk.ts'
import { cliTransferTexts } from './terminal/cli-transfer.ts'
import { cliDesignTexts } from './terminal/cli-design.ts'
import { cliTexts } from './terminal/cli.ts'
import { commonTexts } from './common.ts'
import { documentTexts } from './student/document.ts'
import { designTexts } from './console/design.ts'
import { designerTexts } from './console/designer.ts'
import { entityCheckTexts } from './server/entity-checks.ts'
import { entityServerTexts } from './server/entity-server.ts'
import { entityTexts } from './entity.ts'
import { entryTexts } from './console/entry.ts'
import { fieldTexts } from './field.ts'
import { gridTexts } from './console/grid.ts'
import { listTexts } from './console/list.ts'
import { paperTexts } from './student/paper.ts'
import { pdfTexts } from './student/pdf.ts'
import { printPageTexts } from './student/print-page.ts'
import { problemTexts } from './server/problem.ts'
import { ruleTexts } from './server/rule.ts'
import { adoptTexts } from './server/adopt.ts'
import { serverTexts } from './server/server.ts'
import { sessionTexts } from './console/session.ts'
import { shellTexts } from './console/shell.ts'
import { studentFlowTexts } from './student/student-flow.ts'
import { studentPageTexts } from './student/student-page.ts'
import { studentServerTexts } from './server/student-server.ts'
import { transferTexts } from './console/transfer.ts'
import { transferWebTexts } from './console/transfer-web.ts'
import { transferServerTexts } from './server/transfer-server.ts'
import { verifyTexts } from './student/verify.ts'
import { viewTexts } from './console/view.ts'

/** All texts of the interface. Each key holds both languages, so that neither can be missing. */
export const texts = {
  ...adminTexts,
  ...entryTexts,
  ...administrationTexts,
  ...attachmentTexts,
  ...auditTexts,
  ...bulkTexts,
  ...cliBulkTexts,
  ...cliDesignTexts,
  ...cliTexts,
  ...cliTransferTexts,
  ...commonTexts,
  ...documentTexts,
  ...designTexts,
  ...designerTexts,
  ...entityCheckTexts,
  ...entityServerTexts,
  ...entityTexts,
  ...fieldTexts,
  ...gridTexts,
  ...listTexts,
  ...pdfTexts,
  ...paperTexts,
  ...printPageTexts,
  ...problemTexts,
  ...ruleTexts,
  ...adoptTexts,
  ...serverTexts,
  ...sessionTexts,
  ...shellTexts,
  ...studentFlowTexts,
  ...studentPageTexts,
  ...studentServerTexts,
  ...transferTexts,
  ...transferWebTexts,
  ...transferServerTexts,
  ...verifyTexts,
  ...viewTexts,
}

export type TextKey = keyof typeof texts
export type TextParams = Readonly<Record<string, string | number>>

/**
 * A text as data (from machines, issues, problems), rendered where the user's language is known.
 */
export interface Message {
  readonly key: TextKey
  readonly params?: TextParams
}

type Holes<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Holes<Rest>
  : never
type ParamsFor<K extends TextKey> = Holes<(typeof texts)[K][0]>

/**
 * The text of `key` in `locale`, with its `{placeholders}` filled in.
 * @example t('en', 'rule.maxLength', { max: 20 })
 */
export function t<K extends TextKey>(
  locale: Locale,
  key: K,
  ...params: [ParamsFor<K>] extends [never] ? [] : [Readonly<Record<ParamsFor<K>, string | number>>]
): string {
  return fill(texts[key][locale === 'en' ? 1 : 0], params[0] as TextParams | undefined)
}

function fill(sentence: string, params: TextParams | undefined) {
  return params === undefined
    ? sentence
    : sentence.replace(/\{(\w+)\}/g, (hole, name: string) => String(params[name] ?? hole))
}

/** Renders a {@link Message}. */
export function messageText(locale: Locale, message: Message): string {
  return fill(texts[message.key][locale === 'en' ? 1 : 0], message.params)
}
