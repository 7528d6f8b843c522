// The sheet of a case: its record as the caller sees it, and its decisions, as a signed PDF that is kept nowhere
// (docs/rules/contract.md#flows).
import type { FlowStateAnswer } from '@jiaowu/api/contract/entity/flow'
import type { Field } from '@jiaowu/api/entity/config'
import type { FlowTerm } from '@jiaowu/api/entity/definition/flow'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import { findKind } from '@jiaowu/api/fields/kinds'
import { valueText } from '@jiaowu/api/fields/money'
import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import type { FlowParts } from '@jiaowu/machines/flow/parts'
import { accessTo } from '../access/access.ts'
import { rightTo } from '../entities/attachments/file-rights.ts'
import { findRowFiles } from '../entities/attachments/row-files.ts'
import { buildEntityConfig } from '../entities/config/entity-config.ts'
import { loadCases, withTables } from '../entities/flow/cases.ts'
import { readLog } from '../entities/flow/log.ts'
import { loadRoleNames, nameState } from '../entities/flow/names.ts'
import { readFlow } from '../entities/flow/read.ts'
import { loadRow } from '../entities/read/row.ts'
import type { Context } from '../model/context.ts'
import { entityName, type LoadedEntity } from '../model/definition/loaded.ts'
import { localTime } from '../model/fields/local-time.ts'
import { databaseOf } from '../platform/database/any-database.ts'
import { loadSchool, nobody } from './content/gather.ts'
import type { PrintedContent, SheetFact, SheetStep } from './content/printed.ts'
import { nameFile } from './content/rows.ts'
import { drawSheet } from './drawing/draw.ts'
import { buildPdfReply } from './pdf-reply.ts'

/**
 * Prints the case of a row that the caller may read, as it is now. Students read offices, not people.
 * @throws Refusal 403, 404; 422 naming what cannot be drawn; 503
 */
export async function printCase(
  context: Context,
  entity: LoadedEntity,
  id: string,
): Promise<Response> {
  const { subject, settings } = context
  const at = context.now()
  const number = `${entity.tag}-${id}`
  const content = await gatherSheet(context, entity, { id, number, at })
  const bytes = await drawSheet(settings, subject.tenant, { content, number, at })
  await context.auditAlone({
    action: 'flow.print',
    object: entity.tag,
    objectId: id,
    result: 'ok',
  })
  return buildPdfReply(bytes, nameFile([content.student.name, content.reportName, id]))
}

interface Printing {
  readonly id: string
  readonly number: string
  readonly at: Date
}

async function gatherSheet(
  context: Context,
  entity: LoadedEntity,
  { id, number, at }: Printing,
): Promise<PrintedContent> {
  const { locale, subject, database } = context
  const row = await loadRow(context, await accessTo(context, entity, 'view'), id)
  const { fields } = await buildEntityConfig(context, entity)
  const flow = await readFlow(context, entity, id)
  const applicant = flow.applicant?.name ?? ''
  return {
    kind: 'sheet',
    language: locale === 'en' ? 'en' : 'zh',
    reportName: t(locale, 'paper.sheetTitle', { name: entityName(entity, locale) }),
    school: await loadSchool(database.kysely, subject.tenant),
    student: { ...nobody, name: applicant, nameEn: applicant },
    terms: [],
    caseSheet: {
      facts: keepFilled([
        { label: t(locale, 'paper.sheetNumber'), value: number },
        { label: t(locale, 'paper.sheetApplicant'), value: applicant },
        { label: t(locale, 'paper.sheetState'), value: nameStates(flow) },
        { label: t(locale, 'paper.sheetSince'), value: flow.since ?? '' },
        { label: t(locale, 'paper.sheetPrinted'), value: localTime(at) },
      ]),
      fields: [...listFields(locale, fields, row), ...(await listFiles(context, entity.tag, id))],
      steps: await listSteps(context, entity, { id, flow, fields }),
      by: subject.name,
    },
  }
}

const keepFilled = (facts: readonly SheetFact[]) => facts.filter(({ value }) => value !== '')

/** With the states inside it, which are several in regions. */
function nameStates({ state, name, active }: FlowStateAnswer): string {
  const inner = active.filter(({ path }) => path !== state).map((each) => each.name)
  return inner.length === 0 ? name : `${name} (${inner.join(', ')})`
}

/** The fields of the details of the record, in their order; files by their names. */
function listFields(locale: Locale, fields: readonly Field[], row: Row): readonly SheetFact[] {
  return keepFilled(
    fields
      .filter(({ isDetail }) => isDetail === 1)
      .map((field) => ({
        label: field.uiLabel,
        value: printValue(locale, field, row[field.attrName]),
      })),
  )
}

function printValue(locale: Locale, field: Field, value: WireValue | undefined): string {
  if (findKind(field.uiType).family !== 'flag') return valueText(field, value)
  return value === '1' ? t(locale, 'common.yes') : value === '0' ? t(locale, 'common.no') : ''
}

/** The names of the files of the record, one a line; nothing without any. */
async function listFiles(context: Context, tag: string, id: string): Promise<readonly SheetFact[]> {
  const files = await findRowFiles(context, tag, id, await rightTo(context, tag, id, 'view'))
  const value = files.map(({ name }) => name).join('\n')
  return keepFilled([{ label: t(context.locale, 'paper.sheetFiles'), value }])
}

interface CaseToList {
  readonly id: string
  readonly flow: FlowStateAnswer
  readonly fields: readonly Field[]
}

/** The decisions, oldest first, and the steps that wait. */
async function listSteps(
  context: Context,
  entity: LoadedEntity,
  { id, flow, fields }: CaseToList,
): Promise<readonly SheetStep[]> {
  const { locale, subject } = context
  const cases = await loadCases(withTables(databaseOf(context)), subject.tenant, entity, [id])
  const stored = cases.get(id)
  if (stored === undefined) return []
  const { parts } = stored.flow
  const isStudent = subject.kind === 'student'
  const offices = await loadRoleNames(
    context,
    parts.events.flatMap(({ people }) =>
      (people?.terms ?? []).flatMap((term) => ('role' in term ? term.role : [])),
    ),
  )
  const nameTerm = (term: FlowTerm) =>
    'role' in term
      ? (offices.get(term.role) ?? term.role)
      : 'person' in term
        ? (fields.find(({ attrName }) => `row.${attrName}` === term.person)?.uiLabel ?? '')
        : t(locale, 'paper.sheetApplicant')
  const namePlace = (path: string, type: string, isApplicant: boolean) => {
    const names = listTerms(parts, path, type, isApplicant).map(nameTerm)
    const office = [...new Set(names)].filter((name) => name !== '').join(' / ')
    const step = path === '' ? '' : nameState(context, stored.flow, path)
    return [step, office].filter((name) => name !== '').join(' · ')
  }
  const log = (await readLog(context, stored)).filter(
    ({ line }) => !isStudent || line.whom === undefined,
  )
  return [
    ...log.map(({ line, type, path }): SheetStep => {
      const isApplicant = line.by !== null && line.by.id === flow.applicant?.id
      return {
        place: namePlace(path, type, isApplicant),
        who: nameDecider(context, line, isStudent),
        decision: line.whom === undefined ? line.name : `${line.name} ${line.whom}`,
        note: line.note ?? '',
        at: line.at,
      }
    }),
    ...flow.open.map(({ who, path, since }): SheetStep => ({
      place: nameState(context, stored.flow, path),
      who,
      decision: t(locale, 'paper.sheetWaits'),
      note: '',
      at: since,
    })),
  ]
}

/** The people whom the event asks; of a task that was handed on, those whom its step asks. */
function listTerms(
  { events }: FlowParts,
  path: string,
  type: string,
  isApplicant: boolean,
): readonly FlowTerm[] {
  const own = events.filter((part) => part.type === type)
  const asked = own.length > 0 ? own : events.filter((part) => part.path === path)
  const terms = asked.flatMap(({ people }) => people?.terms ?? [])
  const fitting = terms.filter((term) => 'applicant' in term === isApplicant)
  return fitting.length > 0 ? fitting : terms
}

function nameDecider(
  { locale, subject }: Context,
  { by, for: principal }: FlowStateAnswer['log'][number],
  isStudent: boolean,
): string {
  if (by === null) return t(locale, 'flowPanel.timer')
  if (isStudent) return by.id === subject.userId ? by.name : ''
  return principal === undefined
    ? by.name
    : `${by.name} (${t(locale, 'hand.for', { name: principal.name })})`
}
