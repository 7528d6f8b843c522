import { type Kysely, sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { index, run, table, unique } from '../columns.ts'

/** `[column, type, Chinese comment]`. The designer uses the comments as labels. */
type Column = readonly [name: string, type: string, comment: string]

const tables = [
  ...createCommentedTable('biz.faculty', '院系', [
    ['code', 'varchar(20) not null', '院系代码'],
    ['name', 'varchar(100) not null', '院系名称'],
    ['name_en', 'varchar(200)', '英文名称'],
    ['dean', 'varchar(50)', '院长'],
    ['phone', 'varchar(30)', '联系电话'],
    ['website', 'varchar(200)', '网址'],
    ['founded', 'varchar(4)', '成立年份'],
    ['remarks', 'text', '备注'],
  ]),
  ...createCommentedTable('biz.major', '专业', [
    ['code', 'varchar(20) not null', '专业代码'],
    ['name', 'varchar(100) not null', '专业名称'],
    ['name_en', 'varchar(200)', '英文名称'],
    ['faculty_id', 'bigint not null references biz.faculty(id)', '院系'],
    ['degree', 'varchar(20)', '学位类别'],
    ['years', 'numeric(3,1)', '学制'],
    ['enabled', `char(1) not null default '1'`, '是否招生'],
    ['remarks', 'text', '备注'],
  ]),
  ...createCommentedTable('biz.class', '班级', [
    ['code', 'varchar(20) not null', '班级代码'],
    ['name', 'varchar(100) not null', '班级名称'],
    ['faculty_id', 'bigint not null references biz.faculty(id)', '院系'],
    ['major_id', 'bigint not null references biz.major(id)', '专业'],
    ['grade_year', 'varchar(4) not null', '年级'],
    ['head_teacher', 'varchar(50)', '班主任'],
  ]),
  ...createCommentedTable('biz.teacher', '教师', [
    ['teacher_no', 'varchar(20) not null', '工号'],
    ['name', 'varchar(50) not null', '姓名'],
    ['gender', 'varchar(10)', '性别'],
    ['faculty_id', 'bigint references biz.faculty(id)', '院系'],
    ['title', 'varchar(20)', '职称'],
    ['birth_date', 'date', '出生日期'],
    ['mobile', 'varchar(20)', '手机号'],
    ['email', 'varchar(100)', '邮箱'],
    ['homepage', 'varchar(200)', '个人主页'],
    ['rating', 'numeric(2,1)', '评教星级'],
    ['on_job', `char(1) not null default '1'`, '是否在职'],
    ['research', 'text', '研究方向'],
  ]),
  ...createCommentedTable('biz.course', '课程', [
    ['code', 'varchar(20) not null', '课程代码'],
    ['name', 'varchar(100) not null', '课程名称'],
    ['name_en', 'varchar(200)', '英文名称'],
    ['faculty_id', 'bigint references biz.faculty(id)', '开课院系'],
    ['teacher_id', 'bigint references biz.teacher(id)', '主讲教师'],
    ['nature', 'varchar(20)', '课程性质'],
    ['credit', 'numeric(4,1) not null', '学分'],
    ['hours', 'integer', '学时'],
    ['exam_type', 'varchar(20)', '考核方式'],
    ['start_time', 'time', '上课时间'],
    ['syllabus', 'text', '教学大纲'],
  ]),
  ...createCommentedTable('biz.student', '学生', [
    ['student_no', 'varchar(20) not null', '学号'],
    ['name', 'varchar(50) not null', '姓名'],
    ['name_en', 'varchar(100)', '英文姓名'],
    ['id_card', 'varchar(18)', '身份证号'],
    ['gender', 'varchar(10)', '性别'],
    ['birth_date', 'date', '出生日期'],
    ['nation', 'varchar(10)', '民族'],
    ['political', 'varchar(10)', '政治面貌'],
    ['faculty_id', 'bigint references biz.faculty(id)', '院系'],
    ['major_id', 'bigint references biz.major(id)', '专业'],
    ['class_id', 'bigint references biz.class(id)', '班级'],
    ['enrol_year', 'varchar(4)', '入学年份'],
    ['enrol_date', 'date', '入学日期'],
    ['status', `varchar(10) not null default '1'`, '学籍状态'],
    ['mobile', 'varchar(20)', '手机号'],
    ['email', 'varchar(100)', '邮箱'],
    ['area_id', 'bigint', '生源地'],
    ['dormitory', 'varchar(50)', '宿舍'],
    ['on_campus', `char(1) not null default '1'`, '是否在校'],
    ['height', 'numeric(5,1)', '身高'],
    ['rating', 'numeric(2,1)', '综合评价'],
    ['interests', 'text[]', '兴趣特长'],
    ['languages', 'text[]', '外语语种'],
    ['registered_at', 'timestamp', '注册时间'],
    ['wake_time', 'time', '晨练时间'],
    ['photo', 'jsonb', '照片'],
    ['address', 'varchar(300)', '家庭住址'],
    ['introduction', 'text', '个人简介'],
    ['remarks', 'text', '备注'],
    ['account_mobile', 'varchar(20)', '绑定手机号'],
  ]),
  ...createCommentedTable('biz.grade', '成绩', [
    ['student_id', 'bigint not null references biz.student(id)', '学生'],
    ['course_id', 'bigint not null references biz.course(id)', '课程'],
    ['faculty_id', 'bigint references biz.faculty(id)', '院系'],
    ['term', 'varchar(20) not null', '学期'],
    ['score', 'numeric(5,1)', '成绩'],
    ['credit', 'numeric(4,1)', '学分'],
    ['grade_point', 'numeric(3,1)', '绩点'],
    ['exam_type', 'varchar(20)', '考核方式'],
    ['exam_date', 'date', '考试日期'],
    ['passed', `char(1) not null default '1'`, '是否及格'],
    ['remarks', 'varchar(300)', '备注'],
  ]),
  ...createCommentedTable('biz.report', '报表', [
    ['report_code', 'varchar(40) not null', '报表代码'],
    ['report_name', 'varchar(100) not null', '报表名称'],
    ['report_language', 'varchar(10) not null', '语言'],
    ['report_type', 'varchar(10) not null', '类型'],
    ['kind', 'varchar(40) not null', '样式'],
    ['price_fen', 'integer not null default 0', '首次价格（分）'],
    ['sort', 'integer not null default 0', '排序'],
    ['enabled', `char(1) not null default '1'`, '是否启用'],
  ]),
  ...createCommentedTable('biz.print_order', '打印订单', [
    ['order_no', 'varchar(32) not null', '订单号'],
    ['student_id', 'bigint not null references biz.student(id)', '学生'],
    ['report_id', 'bigint not null references biz.report(id)', '报表'],
    ['amount_fen', 'integer not null default 0', '金额（分）'],
    ['pay_type', 'varchar(20)', '支付方式'],
    ['state', 'varchar(20) not null', '状态'],
    ['paid_at', 'timestamptz', '支付时间'],
  ]),
]

const keys = [
  unique('biz.faculty', 'code'),
  unique('biz.major', 'code'),
  unique('biz.class', 'code'),
  unique('biz.teacher', 'teacher_no'),
  unique('biz.course', 'code'),
  unique('biz.student', 'student_no'),
  unique('biz.student', 'id_card'),
  unique('biz.student', 'account_mobile'),
  unique('biz.grade', 'student_id, course_id, term'),
  unique('biz.report', 'report_code'),
  unique('biz.print_order', 'order_no'),
  ...['biz.major', 'biz.class', 'biz.teacher', 'biz.course', 'biz.student', 'biz.grade'].map(
    (name) => index(name, 'faculty_id'),
  ),
  index('biz.class', 'major_id'),
  index('biz.student', 'major_id'),
  index('biz.student', 'class_id'),
  index('biz.student', 'name, id'),
  index('biz.student', 'status, id'),
  index('biz.student', 'enrol_year, id'),
  index('biz.student', 'birth_date, id'),
  index('biz.grade', 'student_id'),
  index('biz.grade', 'course_id'),
  index('biz.grade', 'term, id'),
  index('biz.grade', 'score, id'),
  index('biz.grade', 'exam_date, id'),
  index('biz.grade', 'passed, id'),
  index('biz.grade', 'id desc'),
  index('biz.print_order', 'student_id'),
]

export const teaching: Migration = {
  name: '0002-teaching',
  up: async (db) => {
    await run(db, ['create schema if not exists biz', ...tables, ...keys])
    await addTrigrams(db)
  },
}

/** Trigram indexes for text search, where the extension exists. Searches scan the table otherwise. */
async function addTrigrams(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{
    found: boolean
  }>`select exists (select 1 from pg_extension where extname = 'pg_trgm') as found`.execute(db)
  if (rows[0]?.found !== true) return
  await run(
    db,
    ['student.name', 'student.student_no', 'course.name', 'teacher.name'].map((path) => {
      const [name, column] = path.split('.')
      return `create index biz_${name}_${column}_trgm on biz.${name} using gin (${column} gin_trgm_ops)`
    }),
  )
}

function createCommentedTable(name: string, comment: string, columns: readonly Column[]): string[] {
  return [
    table(name, columns.map(([column, type]) => `${column} ${type}`).join(', ')),
    `comment on table ${name} is '${comment}'`,
    ...[
      ['id', '', '编号'],
      ['org_id', '', '所属机构'],
      ['create_time', '', '创建时间'],
      ['update_time', '', '更新时间'],
      ...columns,
    ].map(([column, , text]) => `comment on column ${name}.${column} is '${text}'`),
  ]
}
