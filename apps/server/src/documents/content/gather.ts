import { type Kysely, sql } from 'kysely'
import type { Keys } from '../../platform/keys/keys.ts'
import { idNumbers } from '../../model/sealed/sealed-columns.ts'
import { notFound } from '../../platform/refusal.ts'
import { readSchoolSettings } from '../../platform/settings/school-settings.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'
import {
  type CourseResult,
  type DocumentContent,
  reportKinds,
  type DocumentLanguage,
  type School,
  type StudentRecord,
  type TermResults,
} from '../../platform/database/tables/document-content.ts'
import type { CasePaper } from '../../model/papers.ts'
import type { DocumentOf } from '../document.ts'

type Db = Kysely<Tables>

type Words = (dictionary: string, code: string | null) => string
const dictionaries = ['gender', 'courseNature', 'term']

interface StudentRow {
  student_no: string
  name: string
  name_en: string | null
  gender: string | null
  birth_date: string | null
  id_card: string | null
  enrol_date: string | null
  status: string
  faculty: string | null
  faculty_en: string | null
  major: string | null
  major_en: string | null
  years: string | null
}

interface GradeRow {
  term: string
  course_id: string
  code: string
  name: string
  name_en: string | null
  nature: string | null
  credit: string
  score: string
  point: string | null
  passed: string
}
const termShape = /^(\d{4}-\d{4})(?:-([12])$)?/

/**
 * Reads the content of a document at one moment.
 * @throws Refusal 404 for a disabled report or one of another tenant, or an unknown student
 */
export async function gatherContent(keys: Keys, db: Db, of: DocumentOf): Promise<DocumentContent> {
  const {
    rows: [report],
  } = await sql<{ report_name: string; report_language: string; kind: string }>`
    select report_name, report_language, kind from biz.report where tenant_id = ${of.tenant}
      and id = ${of.reportId} and enabled = '1' and deleted_at is null`.execute(db)
  const kind = reportKinds.find((known) => known === report?.kind)
  if (report === undefined || kind === undefined) throw notFound()
  const language = report.report_language === 'en' ? 'en' : 'zh'
  const word = await loadWords(db, of.tenant, language)
  const student = await loadStudent(keys, db, of, word)
  return {
    kind,
    language,
    reportName: report.report_name,
    school: await loadSchool(db, of.tenant),
    student: kind === 'enrolled' ? student : { ...student, status: '' },
    terms: kind === 'enrolled' ? [] : await loadTerms(db, of, word),
  }
}

/** The content of a notice, about a student or about none. @throws Refusal 404 for an unknown student */
export async function gatherNotice(
  keys: Keys,
  db: Db,
  { tenant, studentId, language, title, paragraphs }: CasePaper,
): Promise<DocumentContent> {
  const word = await loadWords(db, tenant, language)
  const student =
    studentId === null ? nobody : await loadStudent(keys, db, { tenant, studentId }, word)
  return {
    kind: 'notice',
    language,
    reportName: title,
    school: await loadSchool(db, tenant),
    // Names alone: the paragraphs say everything else.
    student: { ...nobody, ...pickNames(student) },
    terms: [],
    paragraphs,
  }
}

export const nobody: StudentRecord = {
  studentNo: '',
  name: '',
  nameEn: '',
  gender: '',
  birthDate: null,
  idNumber: null,
  faculty: '',
  facultyEn: '',
  major: '',
  majorEn: '',
  years: null,
  enrolDate: null,
  status: '',
}

function pickNames({ studentNo, name, nameEn }: StudentRecord) {
  return { studentNo, name, nameEn }
}

/** The dictionary texts of codes, in the language of the document. */
async function loadWords(db: Db, tenant: string, language: DocumentLanguage): Promise<Words> {
  const rows = await db
    .selectFrom('sys.dict_item')
    .select(['dict_code', 'item_code', 'name', 'name_en'])
    .where('tenant_id', '=', tenant)
    .where('dict_code', 'in', dictionaries)
    .where('deleted_at', 'is', null)
    .execute()
  const words = new Map(
    rows.map(({ dict_code, item_code, name, name_en }) => [
      `${dict_code} ${item_code}`,
      language === 'en' ? (name_en ?? name) : name,
    ]),
  )
  return (dictionary, code) => (code === null ? '' : (words.get(`${dictionary} ${code}`) ?? code))
}

async function loadStudent(
  keys: Keys,
  db: Db,
  { tenant, studentId }: Pick<DocumentOf, 'tenant' | 'studentId'>,
  word: Words,
): Promise<StudentRecord> {
  const { rows } = await sql<StudentRow>`
    select s.student_no, s.name, s.name_en, s.gender, s.birth_date, s.id_card, s.enrol_date,
      s.status, f.name as faculty, f.name_en as faculty_en, m.name as major, m.name_en as major_en,
      m.years
    from biz.student s
      left join biz.faculty f on f.tenant_id = s.tenant_id and f.id = s.faculty_id
      left join biz.major m on m.tenant_id = s.tenant_id and m.id = s.major_id
    where s.tenant_id = ${tenant} and s.id = ${studentId} and s.deleted_at is null`.execute(db)
  const [row] = rows
  if (row === undefined) throw notFound()
  const [faculty, major] = [row.faculty ?? '', row.major ?? '']
  return {
    studentNo: row.student_no,
    name: row.name,
    nameEn: row.name_en ?? row.name,
    gender: word('gender', row.gender),
    birthDate: row.birth_date,
    idNumber: row.id_card === null ? null : idNumbers(keys).open(row.id_card),
    enrolDate: row.enrol_date,
    status: row.status,
    faculty,
    facultyEn: row.faculty_en ?? faculty,
    major,
    majorEn: row.major_en ?? major,
    years: row.years === null ? null : Number(row.years),
  }
}

export async function loadSchool(db: Db, tenant: string): Promise<School> {
  const set = await readSchoolSettings(db, tenant, ['SCHOOL_NAME', 'SCHOOL_NAME_EN'])
  return { name: set.SCHOOL_NAME, nameEn: set.SCHOOL_NAME_EN || set.SCHOOL_NAME }
}

async function loadTerms(
  db: Db,
  { tenant, studentId }: DocumentOf,
  word: Words,
): Promise<TermResults[]> {
  const { rows } = await sql<GradeRow>`
    select g.term, g.course_id, c.code, c.name, c.name_en, c.nature,
      coalesce(g.credit, c.credit) as credit, g.score, g.grade_point as point, g.passed
    from biz.grade g join biz.course c on c.tenant_id = g.tenant_id and c.id = g.course_id
    where g.tenant_id = ${tenant} and g.student_id = ${studentId} and g.deleted_at is null
      and g.score is not null order by g.term, c.code, g.id`.execute(db)
  const [terms, seen] = [new Map<string, CourseResult[]>(), new Set<string>()]
  for (const row of rows) {
    const result: CourseResult = {
      code: row.code,
      name: row.name,
      nameEn: row.name_en ?? row.name,
      nature: word('courseNature', row.nature),
      credit: Number(row.credit),
      score: Number(row.score),
      point: Number(row.point ?? 0),
      passed: row.passed === '1',
      retake: seen.has(row.course_id),
    }
    seen.add(row.course_id)
    terms.set(row.term, [...(terms.get(row.term) ?? []), result])
  }
  return [...terms].map(([term, courses]) => {
    const [, year = term, half] = termShape.exec(term) ?? []
    return {
      year,
      half: half === '1' ? 1 : half === '2' ? 2 : null,
      word: half === undefined ? word('term', term) : '',
      courses,
    }
  })
}
