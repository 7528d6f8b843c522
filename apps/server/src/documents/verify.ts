import type { DocumentFacts, DocumentVerdict } from '@jiaowu/api/contract/student/verify'
import { readDocumentCode } from '@jiaowu/api/document-code'
import type { Services } from '../model/context.ts'
import type { DocumentContent } from '../platform/database/tables/document-content.ts'
import { type DocumentRow, toIssuedDocument } from './content/rows.ts'
import { firstInSchools } from '../platform/database/schools.ts'
import { likelyFirst } from './code.ts'

const stars = (count: number) => '*'.repeat(Math.max(1, count))

/** Masks a name: 张*涵, 张*; of a Latin name each word keeps its first letter. */
function maskName(name: string): string {
  if (name === '') return ''
  const characters = [...name.trim()]
  if (/^[\p{Script=Latin}\s.'’-]+$/u.test(name))
    return name
      .trim()
      .split(/\s+/)
      .map((word) => `${[...word][0] ?? ''}${stars([...word].length - 1)}`)
      .join(' ')
  return characters.length < 2
    ? stars(1)
    : characters.length === 2
      ? `${characters[0] ?? ''}*`
      : `${characters[0] ?? ''}${stars(characters.length - 2)}${characters.at(-1) ?? ''}`
}

/**
 * Answers a document's code to anyone who has it: nothing that is not printed on it, and less about
 * the student.
 */
export async function verifyCode(services: Services, typed: string): Promise<DocumentVerdict> {
  const code = readDocumentCode(typed)
  const row = code === null ? undefined : await findByCode(services, code)
  const issued = row === undefined ? null : toIssuedDocument(row)
  if (row === undefined || issued === null) return { status: 'unknown', document: null }
  const { number, issuedAt, revokedAt, sha256, size } = issued
  return {
    status: revokedAt === null ? 'valid' : 'revoked',
    document: { number, issuedAt, revokedAt, sha256, size, ...pickDocumentFacts(row.content) },
  }
}

function findByCode(services: Services, code: string): Promise<DocumentRow | undefined> {
  return firstInSchools(
    services,
    (tenant) =>
      services.database.kysely
        .selectFrom('sys.document')
        .selectAll()
        .where('tenant_id', '=', tenant)
        .where('code', '=', code)
        .executeTakeFirst(),
    (schools) => likelyFirst(code, schools),
  )
}

function pickDocumentFacts({
  kind,
  language,
  reportName,
  school,
  student,
}: DocumentContent): Pick<
  DocumentFacts,
  'kind' | 'title' | 'language' | 'school' | 'holder' | 'studentNo'
> {
  return {
    kind,
    ...(kind === 'notice' && { title: reportName }),
    language,
    school: { name: school.name, nameEn: school.nameEn },
    holder: maskName(language === 'en' ? student.nameEn : student.name),
    studentNo: maskNumber(student.studentNo),
  }
}

function maskNumber(no: string): string {
  return no === ''
    ? ''
    : no.length < 6
      ? stars(no.length)
      : `${no.slice(0, 4)}${stars(no.length - 6)}${no.slice(-2)}`
}
