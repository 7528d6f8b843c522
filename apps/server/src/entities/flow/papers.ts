// Documents that a decision issues: their words are fixed in its transaction (docs/rules/contract.md#flows).
import type { FlowDocument, FlowEffect } from '@jiaowu/api/entity/definition/flow'
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { CompiledFlow } from '@jiaowu/machines/flow/flow'
import { listParagraphSources, splitParagraph } from '@jiaowu/machines/flow/paragraph'
import type { Context } from '../../model/context.ts'
import { loadDictionaries } from '../../model/definition/dictionary.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { relationTag } from '../../model/definition/relation.ts'
import { type CasePaper, findPapers } from '../../model/papers.ts'
import type { FlowDatabase, StoredCase } from './cases.ts'
import { compute } from './effects.ts'
import { isOfStudents } from './facts.ts'
import type { FlowRow } from './row-people.ts'

type Language = FlowDocument['language']
/** Names of items by `language dictionary`, and then by id. */
type Words = ReadonlyMap<string, ReadonlyMap<string, string>>

export interface PaperWriter {
  /** Hashes of contents that were drawn on trial; grows between tries of a transaction. */
  readonly drawable: Set<string>
  readonly words: Words
}

const languages: readonly Language[] = ['zh', 'en']

/** Everything that documents of the flow need from before the transaction. */
export async function loadPaperWriter(
  context: Context,
  entity: LoadedEntity,
  { parts: { flow } }: CompiledFlow,
): Promise<PaperWriter> {
  const codes = listParagraphSources(flow.documents).flatMap(
    (source) => findDictionary(context, entity, source) ?? [],
  )
  const words = new Map<string, ReadonlyMap<string, string>>()
  for (const language of languages) {
    const locale = language === 'en' ? 'en' : 'zh-CN'
    for (const [code, items] of await loadDictionaries({ ...context, locale }, [...new Set(codes)]))
      words.set(`${language} ${code}`, new Map(items.map(({ id, name }) => [id, name])))
  }
  return { drawable: new Set(), words }
}

/** The dictionary of a field that an expression reads and nothing else: `row.kind`, `row.student.status`. */
function findDictionary(
  { registry, subject }: Pick<Context, 'registry' | 'subject'>,
  entity: LoadedEntity,
  source: string,
): string | null {
  const [, attrName, property] = /^\s*row\.(\w+)(?:\.(\w+))?\s*$/.exec(source) ?? []
  const own = attrName === undefined ? undefined : entity.field(attrName)
  const tag = own === undefined ? null : relationTag(own.definition)
  const field: LoadedField | undefined =
    property === undefined
      ? own
      : tag === null
        ? undefined
        : registry.known(subject.tenant, tag)?.field(property)
  return field?.definition.dictType === dictTypes.dictionary ? field.definition.dictValue : null
}

interface Issuing {
  readonly entity: LoadedEntity
  readonly stored: StoredCase
  /** The row as the decision leaves it. */
  readonly row: FlowRow
  readonly effects: readonly FlowEffect[]
}

/** Claims the documents of a step. Returns their numbers. @throws UncheckedPaper */
export async function issuePapers(
  trx: FlowDatabase,
  context: Context,
  issuing: Issuing,
  writer: PaperWriter,
): Promise<readonly string[]> {
  const numbers: string[] = []
  for (const effect of issuing.effects) {
    if (!('document' in effect)) continue
    const document = issuing.stored.flow.parts.flow.documents?.[effect.document]
    if (document === undefined) throw new Error(`no document ${effect.document} in the flow`)
    const paper = buildPaper(context, issuing, writer.words, effect.document, document)
    numbers.push(await findPapers(context).claim(trx, paper, writer.drawable))
  }
  return numbers
}

function buildPaper(
  context: Context,
  { entity, stored, row }: Issuing,
  words: Words,
  template: string,
  { title, language, person, paragraphs }: FlowDocument,
): CasePaper {
  const print = (source: string) => {
    const dictionary = findDictionary(context, entity, source)
    const names = words.get(`${language} ${dictionary ?? ''}`)
    return printValue(compute(source, row.scope), names, language)
  }
  return {
    tenant: context.subject.tenant,
    caseId: stored.id,
    template,
    language,
    title: title[language],
    studentId: person === undefined ? null : findStudent(context, entity, row, person),
    paragraphs: paragraphs.map((paragraph) =>
      (splitParagraph(paragraph) ?? [])
        .map((part) => (typeof part === 'string' ? part : print(part.source)))
        .join(''),
    ),
  }
}

/** The student that the relation leads to. */
function findStudent(
  context: Context,
  entity: LoadedEntity,
  { related }: FlowRow,
  person: string,
): string | null {
  const attrName = person.slice('row.'.length)
  return isOfStudents(context, entity.field(attrName)?.definition)
    ? (related.get(attrName)?.[0] ?? null)
    : null
}

function printValue(
  value: unknown,
  names: ReadonlyMap<string, string> | undefined,
  language: Language,
): string {
  if (Array.isArray(value))
    return value
      .map((item) => printValue(item, names, language))
      .filter((text) => text !== '')
      .join(language === 'en' ? ', ' : '、')
  if (typeof value === 'object' && value !== null) {
    const { id, name } = value as { readonly id?: unknown; readonly name?: unknown }
    const known = names?.get(String(id))
    return known ?? (typeof name === 'string' ? name : '')
  }
  return typeof value === 'string' || typeof value === 'number'
    ? (names?.get(String(value)) ?? String(value))
    : ''
}
