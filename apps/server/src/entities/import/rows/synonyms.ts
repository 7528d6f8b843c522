// Words by which other systems head the columns of rosters and mark sheets (正方, 青果, 雨课堂, learning
// platforms). They are compared as `bare` of heading.ts leaves them: folded, without blanks and marks.

/** The words of a group mean one thing; a field whose label is one of them takes all of them. */
const groups: readonly (readonly string[])[] = [
  ['学号', '学生学号', '学籍号', '学生编号', 'studentid', 'studentno', 'studentnumber', 'sid'],
  ['姓名', '学生姓名', '名字', 'studentname', 'fullname'],
  ['性别', '学生性别', 'sex', 'gender'],
  [
    '院系',
    '学院',
    '所属学院',
    '所属院系',
    '所在学院',
    '所在院系',
    '系别',
    '系部',
    '院部',
    'faculty',
    'college',
    'department',
  ],
  ['专业', '所属专业', '所在专业', 'major', 'programme'],
  ['班级', '行政班', '行政班级', '所属行政班', '所属班级', '所在班级'],
  ['年级', '入学年级', '所在年级'],
  [
    '成绩',
    '总评',
    '总评成绩',
    '总成绩',
    '百分成绩',
    '百分制成绩',
    '最终成绩',
    '综合成绩',
    '期末总评',
    'score',
    'mark',
    'finalscore',
    'finalmark',
  ],
  ['课程', '课程名', '所选课程', 'course', 'subject'],
  ['学期', '学年学期', '开课学期', 'term', 'semester'],
  [
    '手机号',
    '手机',
    '手机号码',
    '联系电话',
    '电话',
    '移动电话',
    '学生电话',
    'mobile',
    'phone',
    'mobilephone',
    'telephone',
  ],
  ['邮箱', '电子邮箱', '邮箱地址', '电子邮件', '学生邮箱', 'email', 'studentemail', 'emailaddress'],
  ['身份证号', '身份证', '身份证号码', '证件号', '证件号码', 'idcard', 'idnumber'],
  ['民族', 'nationality', 'ethnicity'],
  ['籍贯', '生源地', 'nativeplace'],
  ['出生日期', '出生年月', '生日', 'birthday', 'birthdate', 'dateofbirth', 'born'],
  ['入学日期', '入学时间', '入学年月', 'enrolmentdate', 'enrollmentdate'],
  ['任课教师', '教师', '授课教师', '任课老师', '主讲教师', 'teacher', 'lecturer', 'instructor'],
  ['学分', '课程学分', 'credit', 'credits'],
  ['备注', '说明', '附注', 'remark', 'remarks', 'note', 'notes', 'comment'],
]
const byWord = new Map(groups.flatMap((group) => group.map((word) => [word, group] as const)))

/** A folded label with the words of its group. */
export function listSynonyms(label: string): readonly string[] {
  return byWord.get(label) ?? [label]
}

/** Ends of headings that name the key or the title of a relation's record. */
export const relatedParts: readonly {
  readonly kind: 'key' | 'title'
  readonly words: readonly string[]
}[] = [
  {
    kind: 'key',
    words: ['号', '编号', '代码', '编码', '代号', '序号', 'id', 'no', 'number', 'code'],
  },
  { kind: 'title', words: ['名称', '姓名', '名', '全称', 'name', 'title'] },
]
