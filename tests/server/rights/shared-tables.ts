// A view over students, and a second entity on the table of grades, that the table of rights aims at.
import type { TestApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import type { SubmittedSheet, World } from './world-types.ts'

/** A view that shows the school of its rows as an ordinary column. */
export const pupils = 'PUPIL_VIEW'
/** An entity without sheets, that names the columns otherwise. */
export const marks = 'MARK_COPY'

export async function createSharedTables(
  app: TestApp,
  admin: World['admin'],
): Promise<SubmittedSheet> {
  await createPupils(app, admin)
  return await createMarks(admin)
}

/** Its definition says nothing of personal data, and one of its fields is on a column that no field may show. */
async function createPupils({ services }: TestApp, admin: World['admin']): Promise<void> {
  const db = services.database.kysely
  await sql`create view public.pupil as select s.id, s.tenant_id as school, s.student_no, s.name, s.gender,
    s.id_card, s.id_card_index, s.id_card_index as search, s.mobile from biz.student s`.execute(db)
  const { definition } = await admin.design.draft({ params: { name: 'public.pupil' } })
  const fields = definition.fields.map((field) => ({
    ...field,
    pii: null,
    isList: 1 as const,
    isExport: 1 as const,
  }))
  await admin.design.create({ body: { ...definition, tag: pupils, fields } })
  const smuggled = { ...fields[0], id: '4242', attrName: 'search', columnName: 'search' }
  await sql`update sys.entity set version = version + 1,
    definition = jsonb_set(definition::jsonb, '{fields}', (definition::jsonb -> 'fields') || ${JSON.stringify([smuggled])}::jsonb)
    where tag = ${pupils} and tenant_id = 10000`.execute(db)
  services.registry.invalidate()
}

async function createMarks(admin: World['admin']): Promise<SubmittedSheet> {
  const { definition } = await admin.design.draft({ params: { name: 'biz.grade' } })
  const renamed: Readonly<Record<string, string>> = {
    course_id: 'taught',
    term: 'period',
    student_id: 'pupil',
  }
  await admin.design.create({
    body: {
      ...definition,
      tag: marks,
      name: marks,
      options: {},
      tagField: null,
      fields: definition.fields.map((field) => ({
        ...field,
        attrName: renamed[field.columnName ?? ''] ?? field.attrName,
      })),
    },
  })
  const params = { tag: 'EDU_GRADE' }
  const { records } = await admin.entityData.page({ params, body: { pageSize: 1 } })
  const [row] = records
  const by = { course: toId(row?.['course']), term: toId(row?.['term']) }
  const { entered } = await admin.entry.read({ params, body: { by } })
  await admin.entry.submit({ params, body: { by, entered } })
  return {
    row: row?.id ?? '',
    body: { taught: [{ id: by.course }], period: by.term, score: 61 },
  }
}

function toId(value: unknown): string {
  return Array.isArray(value) ? String((value[0] as { id: string } | undefined)?.id) : String(value)
}
