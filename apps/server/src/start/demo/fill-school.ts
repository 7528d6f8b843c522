import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/database/tables/tables.ts'
import {
  big,
  sameBig,
  bulkInsert,
  type Column,
  day,
  decimal,
  defineListColumn,
  defineTextColumn,
} from './bulk.ts'
import type { Sealer } from '../../model/sealed/sealed-columns.ts'
import { createRandom } from './random.ts'
import {
  type Course,
  course,
  faculties,
  type Grade,
  buildGrades,
  personName,
  type Student,
  buildStudent,
} from './school.ts'

type Db = Kysely<Tables>
export interface SchoolSize {
  readonly students: number
  readonly courses: number
  readonly teachers: number
  readonly grades: number
  readonly accounts: number
}
export interface SchoolPlace {
  readonly tenant: string
  /** Added to every id, so that ids of tenants do not collide. */
  readonly base: number
  /** The faculty's organisation, by faculty code. */
  readonly orgOf: ReadonlyMap<string, string>
  readonly createUser: string
  /** Encrypts the ID numbers. */
  readonly idNumbers: Sealer
}

export interface StudentRange {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** Number of grades of each student. */
  readonly each: number
  /** Number of students with an account. */
  readonly accounts: number
  readonly courses: readonly Course[]
}

/** Inserts students and their grades in batches. `onProgress` gets the number of students so far. */
export async function fillStudents(
  db: Db,
  place: SchoolPlace,
  { from, to, each, accounts, courses }: StudentRange,
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  const step = 500
  for (let at = from; at < to; at += step) {
    const rows = Array.from({ length: Math.min(step, to - at) }, (_none, k) =>
      buildStudent(at + k, place.base, accounts),
    )
    await bulkInsert(db, 'biz.student', rows, studentColumns(place))
    if (each > 0)
      await bulkInsert(
        db,
        'biz.grade',
        rows.flatMap((row, k) => buildGrades(row, at + k, each, courses, place.base)),
        gradeColumns(place),
      )
    onProgress(at + rows.length)
  }
}

function studentColumns(place: SchoolPlace): Record<string, Column<Student>> {
  return {
    id: big((s) => s.id),
    ...common<Student>(place, (s) => organisations(place)(s.faculty)),
    student_no: defineTextColumn((s) => s.no),
    name: defineTextColumn((s) => s.name),
    name_en: defineTextColumn((s) => s.nameEn),
    id_card: defineTextColumn((s) => place.idNumbers.seal(s.idCard)),
    id_card_index: defineTextColumn((s) => place.idNumbers.blind(s.idCard)),
    gender: defineTextColumn((s) => s.gender),
    birth_date: day((s) => s.birth),
    nation: defineTextColumn((s) => s.nation),
    political: defineTextColumn((s) => s.political),
    faculty_id: big((s) => s.faculty),
    major_id: big((s) => s.major),
    class_id: big((s) => s.class),
    enrol_year: defineTextColumn((s) => s.year),
    enrol_date: day((s) => `${s.year}-09-01`),
    status: defineTextColumn((s) => s.status),
    mobile: defineTextColumn((s) => s.mobile),
    email: defineTextColumn((s) => s.email),
    dormitory: defineTextColumn((s) => s.dormitory),
    on_campus: defineTextColumn((s) => (s.status === '1' ? '1' : '0')),
    height: decimal((s) => s.height),
    interests: defineListColumn((s) => s.interests),
    languages: defineListColumn((s) => s.languages),
    account_mobile: defineTextColumn((s) => s.accountMobile),
    registered_at: {
      type: 'timestamp',
      of: (s) => `${s.year}-08-2${s.id % 9} 09:${10 + (s.id % 50)}:00`,
    },
  }
}

function common<T>(
  { tenant, createUser }: SchoolPlace,
  org: (row: T) => string | null,
): Record<string, Column<T>> {
  return {
    tenant_id: sameBig(tenant),
    create_user: big(() => createUser),
    org_id: big(org),
  }
}

function organisations({ base, orgOf }: SchoolPlace) {
  return (facultyId: number) => orgOf.get(`0${facultyId - base - 1100}`) ?? null
}

function gradeColumns(place: SchoolPlace): Record<string, Column<Grade>> {
  return {
    id: big((g) => g.id),
    ...common<Grade>(place, (g) => organisations(place)(g.faculty)),
    student_id: big((g) => g.student),
    course_id: big((g) => g.course),
    faculty_id: big((g) => g.faculty),
    term: defineTextColumn((g) => g.term),
    score: decimal((g) => g.score),
    credit: decimal((g) => g.credit),
    grade_point: decimal((g) => g.point),
    exam_type: defineTextColumn((g) => g.exam),
    exam_date: day((g) => g.date),
    passed: defineTextColumn((g) => (g.score >= 60 ? '1' : '0')),
  }
}

export function buildCourses(base: number, count: number): Course[] {
  return Array.from({ length: count }, (_none, i) => course(i, base))
}

/** The tables that `fillSchool` fills. */
export const schoolTables: readonly string[] = [
  'biz.faculty',
  'biz.major',
  'biz.class',
  'biz.teacher',
  'biz.course',
  'biz.student',
  'biz.grade',
]

/** Inserts faculties, majors, classes, teachers, courses and students. */
export async function fillSchool(db: Db, place: SchoolPlace, size: SchoolSize): Promise<void> {
  await fillStructure(db, place)
  await fillTeachers(db, place, size.teachers)
  const courses = buildCourses(place.base, size.courses)
  await bulkInsert(db, 'biz.course', courses, courseColumns(place))
  await fillStudents(db, place, {
    from: 0,
    to: size.students,
    each: size.grades / size.students,
    accounts: size.accounts,
    courses,
  })
}

async function fillStructure(db: Db, place: SchoolPlace): Promise<void> {
  const { base } = place
  const org = organisations(place)
  const all = faculties(base)
  await bulkInsert(db, 'biz.faculty', all, {
    id: big((f) => f.id),
    ...common<(typeof all)[number]>(place, (f) => org(f.id)),
    code: defineTextColumn((f) => f.code),
    name: defineTextColumn((f) => f.name),
    name_en: defineTextColumn((f) => f.nameEn),
    dean: defineTextColumn((f) => personName(createRandom(f.id), 1)),
    phone: defineTextColumn((f) => `010-8800${f.code}00`),
    website: defineTextColumn((f) => `https://f${f.code}.example.edu.cn`),
    founded: defineTextColumn((f) => String(1950 + (f.id % 7) * 6)),
  })
  const majors = all.flatMap((f, i) =>
    f.majors.map(([name, nameEn], k) => ({
      id: base + 1201 + i * 4 + k,
      code: `${f.code}0${k + 1}`,
      name,
      nameEn,
      faculty: f,
    })),
  )
  await bulkInsert(db, 'biz.major', majors, {
    id: big((m) => m.id),
    ...common<(typeof majors)[number]>(place, (m) => org(m.faculty.id)),
    code: defineTextColumn((m) => m.code),
    name: defineTextColumn((m) => m.name),
    name_en: defineTextColumn((m) => m.nameEn),
    faculty_id: big((m) => m.faculty.id),
    degree: defineTextColumn((m) => m.faculty.degree),
    years: decimal(() => 4),
    enabled: defineTextColumn(() => '1'),
  })
  const classes = majors.flatMap((m, i) =>
    [2022, 2023, 2024, 2025].map((year, k) => ({
      id: base + 1301 + i * 4 + k,
      code: `${year}${m.code}`,
      name: `${m.name}${String(year).slice(2)}级1班`,
      major: m,
      year,
    })),
  )
  await bulkInsert(db, 'biz.class', classes, {
    id: big((c) => c.id),
    ...common<(typeof classes)[number]>(place, (c) => org(c.major.faculty.id)),
    code: defineTextColumn((c) => c.code),
    name: defineTextColumn((c) => c.name),
    faculty_id: big((c) => c.major.faculty.id),
    major_id: big((c) => c.major.id),
    grade_year: defineTextColumn((c) => c.year),
    head_teacher: defineTextColumn((c) => personName(createRandom(c.id), 2)),
  })
}

async function fillTeachers(db: Db, place: SchoolPlace, count: number): Promise<void> {
  const org = organisations(place)
  const rows = Array.from({ length: count }, (_none, i) => {
    const random = createRandom(place.base + i * 53 + 11)
    const gender: 1 | 2 = random.below(2) === 0 ? 1 : 2
    return {
      i,
      random,
      gender,
      name: personName(random, gender),
      faculty: place.base + 1101 + (i % 6),
    }
  })
  await bulkInsert(db, 'biz.teacher', rows, {
    id: big((r) => place.base + 20_001 + r.i),
    ...common<(typeof rows)[number]>(place, (r) => org(r.faculty)),
    teacher_no: defineTextColumn((r) => `T${String(r.i + 1).padStart(4, '0')}`),
    name: defineTextColumn((r) => r.name),
    gender: defineTextColumn((r) => r.gender),
    faculty_id: big((r) => r.faculty),
    title: defineTextColumn((r) =>
      r.random.pick(['professor', 'associate', 'associate', 'lecturer', 'lecturer', 'assistant']),
    ),
    birth_date: day(
      (r) => `${1962 + r.random.below(34)}-0${1 + r.random.below(9)}-1${r.random.below(10)}`,
    ),
    mobile: defineTextColumn((r) => `139${String(10_000_000 + r.i * 733).slice(0, 8)}`),
    email: defineTextColumn((r) => `t${r.i + 1}@example.edu.cn`),
    rating: decimal((r) => 3 + r.random.below(3)),
    on_job: defineTextColumn((r) => (r.i % 29 === 28 ? '0' : '1')),
  })
}

function courseColumns(place: SchoolPlace): Record<string, Column<Course>> {
  return {
    id: big((c) => c.id),
    ...common<Course>(place, (c) => organisations(place)(c.faculty)),
    code: defineTextColumn((c) => c.code),
    name: defineTextColumn((c) => c.name),
    name_en: defineTextColumn((c) => c.nameEn),
    faculty_id: big((c) => c.faculty),
    teacher_id: big((c) => c.teacher),
    nature: defineTextColumn((c) => c.nature),
    credit: decimal((c) => c.credit),
    hours: { type: 'integer', of: (c) => c.credit * 16 },
    exam_type: defineTextColumn((c) => c.exam),
    start_time: {
      type: 'time',
      of: (c) => ['08:00:00', '10:00:00', '14:00:00', '16:00:00'][c.id % 4] ?? null,
    },
  }
}
