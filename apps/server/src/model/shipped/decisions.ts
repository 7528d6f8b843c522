import { entity, times } from './build.ts'
import { gradeChangeFlow } from './flows/grade-change.ts'

/** Requests that offices decide on, each by its flow (docs/rules/contract.md#flows). */
export const decisions = [
  entity({
    no: 111,
    tag: 'EDU_GRADE_CHANGE',
    name: '成绩更正',
    nameEn: 'Correction of a grade',
    table: 'biz.grade_change',
    title: '{grade} {oldScore} → {score}',
    titled: 'grade',
    subtitle: '{course} · {term}',
    options: { sorts: [{ column: 'createTime', asc: false }], flow: gradeChangeFlow },
    fields: [
      [
        'grade',
        '成绩',
        'Grade',
        {
          as: 'select',
          ref: 'EDU_GRADE.student',
          columnName: 'grade_id',
          uses: 'LQDXAE',
          required: true,
          column: { width: 120, fixed: 'left' },
        },
      ],
      [
        'course',
        '课程',
        'Course',
        {
          as: 'select',
          ref: 'EDU_GRADE.course',
          columnName: 'grade_id',
          uses: 'LDX',
          column: { width: 200 },
        },
      ],
      [
        'term',
        '学期',
        'Term',
        {
          as: 'select',
          ref: 'EDU_GRADE.term',
          columnName: 'grade_id',
          uses: 'LDX',
          column: { width: 150 },
        },
      ],
      [
        'oldScore',
        '原成绩',
        'Score before',
        {
          as: 'inputNumber',
          uses: 'LDXae',
          precision: 1,
          derived: 'row.grade.score',
          column: { align: 'right', width: 90 },
        },
      ],
      [
        'score',
        '更正后成绩',
        'Score after',
        {
          as: 'inputNumber',
          uses: 'LDXAE',
          precision: 1,
          required: true,
          type: 'Number',
          bounds: { min: 0 },
          column: { align: 'right', width: 100 },
        },
      ],
      [
        'reason',
        '更正原因',
        'Reason',
        {
          as: 'textarea',
          uses: 'LDXAE',
          required: true,
          width: 100,
          max: 500,
          column: { width: 240 },
        },
      ],
      [
        'state',
        '状态',
        'State',
        {
          as: 'select',
          dict: 'gradeChangeState',
          uses: 'LQDX',
          query: 'in',
          column: { align: 'center', width: 110 },
        },
      ],
      ...times,
    ],
  }),
]
