import { entity, times } from './build.ts'

const faculty = { as: 'select', ref: 'EDU_FACULTY.name' } as const
const majorOfFaculty = { as: 'select', ref: 'EDU_MAJOR.name', cascades: [{ attrName: 'faculty', filterAttr: 'faculty' }] } as const
const isActive = "row.status == '1'"

export const teaching = [
  entity({
    no: 101, tag: 'EDU_FACULTY', name: '院系', nameEn: 'Faculty', table: 'biz.faculty', options: { sorts: [{ column: 'code', asc: true }] },
    fields: [
      ['code', '院系代码', 'Code', { uses: 'LQDXAe', query: 'rightLike', required: true, max: 20, column: { width: 110, fixed: 'left' } }],
      ['name', '院系名称', 'Name', { uses: 'LQDXAE', query: 'like', required: true, max: 100, column: { width: 200 } }],
      ['nameEn', '英文名称', 'English name', { max: 200, column: { width: 280 } }],
      ['dean', '院长', 'Dean', { max: 50 }], ['phone', '联系电话', 'Phone', { max: 30, column: { width: 140 } }],
      ['website', '网址', 'Website', { type: 'Http', max: 200, link: '{website}', column: { width: 220 } }], ['founded', '成立年份', 'Founded', { as: 'year', column: { align: 'center' } }],
      ['remarks', '备注', 'Remarks', { as: 'textarea', uses: 'DXAE', width: 100, max: 2000 }], ...times,
    ],
  }),
  entity({
    no: 102, tag: 'EDU_MAJOR', name: '专业', nameEn: 'Major', table: 'biz.major', options: { sorts: [{ column: 'code', asc: true }] },
    fields: [
      ['code', '专业代码', 'Code', { uses: 'LQDXAE', query: 'rightLike', required: true, max: 20, column: { width: 120, fixed: 'left' } }],
      ['name', '专业名称', 'Name', { uses: 'LQDXAE', query: 'like', required: true, max: 100, column: { width: 200 } }],
      ['nameEn', '英文名称', 'English name', { max: 200, column: { width: 260 } }], ['faculty', '院系', 'Faculty', { ...faculty, columnName: 'faculty_id', uses: 'LQDXAE', required: true, column: { width: 180 } }],
      ['degree', '学位类别', 'Degree', { as: 'select', dict: 'degree', uses: 'LQDXAE' }], ['years', '学制', 'Years', { as: 'inputNumber', precision: 1, column: { align: 'right' } }],
      ['enabled', '是否招生', 'Enrolling', { as: 'switch', uses: 'LQDXAE', default: '1', column: { align: 'center' } }], ['remarks', '备注', 'Remarks', { as: 'textarea', uses: 'DXAE', width: 100, max: 2000 }], ...times,
    ],
  }),
  entity({
    no: 103, tag: 'EDU_CLASS', name: '班级', nameEn: 'Class', table: 'biz.class', options: { sorts: [{ column: 'code', asc: true }] },
    fields: [
      ['code', '班级代码', 'Code', { uses: 'LQDXAE', query: 'rightLike', required: true, max: 20, column: { width: 130, fixed: 'left' } }], ['name', '班级名称', 'Name', { uses: 'LQDXAE', query: 'like', required: true, max: 100, column: { width: 200 } }],
      ['faculty', '院系', 'Faculty', { ...faculty, columnName: 'faculty_id', uses: 'LQDXAE', required: true, column: { width: 180 } }], ['major', '专业', 'Major', { ...majorOfFaculty, columnName: 'major_id', uses: 'LQDXAE', required: true, column: { width: 200 } }],
      ['gradeYear', '年级', 'Year', { as: 'year', uses: 'LQDXAE', required: true, column: { align: 'center' } }], ['headTeacher', '班主任', 'Head teacher', { max: 50 }], ...times,
    ],
  }),
  entity({
    no: 104, tag: 'EDU_TEACHER', name: '教师', nameEn: 'Teacher', table: 'biz.teacher', options: { sorts: [{ column: 'teacherNo', asc: true }] },
    fields: [
      ['teacherNo', '工号', 'Staff number', { uses: 'LQDXAe', query: 'rightLike', required: true, max: 20, column: { width: 110, fixed: 'left' } }], ['name', '姓名', 'Name', { uses: 'LQDXAE', query: 'like', required: true, max: 50, column: { width: 100, fixed: 'left' } }],
      ['gender', '性别', 'Gender', { as: 'radio', dict: 'gender', uses: 'LQDXAE', column: { align: 'center' } }], ['faculty', '院系', 'Faculty', { ...faculty, columnName: 'faculty_id', uses: 'LQDXAE', required: true, column: { width: 180 } }],
      ['title', '职称', 'Title', { as: 'select', dict: 'teacherTitle', uses: 'LQDXAE' }], ['birthDate', '出生日期', 'Born', { as: 'date', uses: 'LDXAE' }], ['mobile', '手机号', 'Mobile', { type: 'mobile', column: { width: 130 } }],
      ['email', '邮箱', 'E-mail', { type: 'Email', max: 100, column: { width: 220 } }], ['homepage', '个人主页', 'Homepage', { uses: 'DXAE', type: 'Http', max: 200 }], ['rating', '评教星级', 'Rating', { as: 'rate' }],
      ['onJob', '是否在职', 'Employed', { as: 'switch', uses: 'LQDXAE', default: '1', column: { align: 'center' } }], ['research', '研究方向', 'Research', { as: 'textarea', uses: 'DXAE', width: 100, max: 2000 }], ...times,
    ],
  }),
  entity({
    no: 105, tag: 'EDU_COURSE', name: '课程', nameEn: 'Course', table: 'biz.course', options: { openType: 'dialog', sorts: [{ column: 'code', asc: true }] },
    fields: [
      ['code', '课程代码', 'Code', { uses: 'LQDXAe', query: 'rightLike', required: true, max: 20, column: { width: 110, fixed: 'left' } }], ['name', '课程名称', 'Name', { uses: 'LQDXAE', query: 'like', required: true, max: 100, column: { width: 200 } }],
      ['nameEn', '英文名称', 'English name', { max: 200, column: { width: 260 } }], ['faculty', '开课院系', 'Faculty', { ...faculty, columnName: 'faculty_id', uses: 'LQDXAE', required: true, column: { width: 180 } }],
      ['teacher', '主讲教师', 'Teacher', { as: 'select', ref: 'EDU_TEACHER.name', columnName: 'teacher_id', cascades: [{ attrName: 'faculty', filterAttr: 'faculty' }] }],
      ['nature', '课程性质', 'Nature', { as: 'select', dict: 'courseNature', uses: 'LQDXAE' }], ['credit', '学分', 'Credit', { as: 'inputNumber', uses: 'LQDXAE', query: 'between', required: true, precision: 1, type: 'PositiveNumber', column: { align: 'right' } }],
      ['hours', '学时', 'Hours', { as: 'inputNumber', type: 'Digits', column: { align: 'right' } }], ['examType', '考核方式', 'Assessment', { as: 'select', dict: 'examType', uses: 'LQDXAE' }], ['startTime', '上课时间', 'Starts at', { as: 'time' }],
      ['syllabus', '教学大纲', 'Syllabus', { as: 'richTextEditor', uses: 'DAE', width: 100 }], ...times,
    ],
  }),
  entity({
    no: 106, tag: 'EDU_STUDENT', name: '学生', nameEn: 'Student', table: 'biz.student', options: { sorts: [{ column: 'studentNo', asc: true }] },
    fields: [
      ['basic', '基本信息', 'Basics', { as: 'group' }],
      ['studentNo', '学号', 'Student number', { uses: 'LQDXAe', query: 'rightLike', required: true, max: 20, column: { width: 120, fixed: 'left' } }],
      ['name', '姓名', 'Name', { uses: 'LQDXAE', query: 'like', required: true, max: 50, column: { width: 100, fixed: 'left' } }],
      ['nameEn', '英文姓名', 'Name in English', { uses: 'DXAE', max: 100 }],
      ['idCard', '身份证号', 'ID number', { uses: 'LQDXAE', type: 'Idcard', column: { width: 180 } }],
      ['gender', '性别', 'Gender', { as: 'radio', dict: 'gender', uses: 'LQDXAE', required: true, column: { align: 'center' } }],
      ['birthDate', '出生日期', 'Born', { as: 'date', uses: 'LQDXAE', query: 'date_range', column: { width: 110 } }],
      ['nation', '民族', 'Nation', { as: 'select', dict: 'nation', uses: 'DXAE' }],
      ['political', '政治面貌', 'Political status', { as: 'select', dict: 'political', uses: 'LDXAE' }],
      ['photo', '照片', 'Photo', { as: 'uploadImg', uses: 'DAE', width: 100 }],
      ['study', '学籍信息', 'Enrolment', { as: 'group' }],
      ['faculty', '院系', 'Faculty', { ...faculty, columnName: 'faculty_id', uses: 'LQDXAE', required: true, column: { width: 180 } }],
      ['major', '专业', 'Major', { ...majorOfFaculty, columnName: 'major_id', uses: 'LQDXAE', required: true, column: { width: 200 } }],
      ['class', '班级', 'Class', { as: 'select', ref: 'EDU_CLASS.name', columnName: 'class_id', uses: 'LQDXAE', cascades: [{ attrName: 'major', filterAttr: 'major' }], column: { width: 180 } }],
      ['enrolYear', '入学年份', 'Year of entry', { as: 'year', uses: 'LQDXAE', column: { align: 'center' } }],
      ['enrolDate', '入学日期', 'Date of entry', { as: 'date', uses: 'DXAE' }],
      ['status', '学籍状态', 'Status', { as: 'select', dict: 'studentStatus', uses: 'LQDXAE', query: 'in', required: true, default: '1', column: { align: 'center', width: 100 } }],
      ['onCampus', '是否在校', 'On campus', { as: 'switch', uses: 'LDXAE', default: '1', column: { align: 'center' } }],
      ['rating', '综合评价', 'Rating', { as: 'rate', uses: 'DXAE' }],
      ['contact', '联系方式', 'Contact', { as: 'group' }],
      ['mobile', '手机号', 'Mobile', { type: 'mobile', column: { width: 130 } }],
      ['email', '邮箱', 'E-mail', { uses: 'LDXAE', type: 'Email', max: 100, column: { width: 220 } }],
      ['area', '生源地', 'Home area', { as: 'selectTree', ref: 'SYS_AREA.name', columnName: 'area_id', uses: 'DXAE' }],
      ['dormitory', '宿舍', 'Dormitory', { uses: 'DXAE', max: 50 }],
      ['address', '家庭住址', 'Address', { uses: 'DXAE', max: 300, width: 100 }],
      ['other', '其他', 'Other', { as: 'group' }],
      ['height', '身高', 'Height', { as: 'inputNumber', uses: 'DXAE', precision: 1, type: 'PositiveNumber', placeholder: 'cm' }],
      ['languages', '外语语种', 'Languages', { as: 'multiSelect', dict: 'language', uses: 'DXAE' }],
      ['interests', '兴趣特长', 'Interests', { as: 'checkbox', dict: 'interest', uses: 'DXAE', query: 'multiContains', width: 100 }],
      ['registeredAt', '注册时间', 'Registered', { as: 'datetime', uses: 'DXAE' }],
      ['wakeTime', '晨练时间', 'Morning exercise', { as: 'time', uses: 'DXAE' }],
      ['line', '', '', { as: 'separate' }],
      ['introduction', '个人简介', 'Introduction', { as: 'richTextEditor', uses: 'DAE', width: 100 }],
      ['remarks', '备注', 'Remarks', { as: 'textarea', uses: 'DXAE', width: 100, max: 2000 }],
      ...times,
    ],
    buttons: [
      ['suspend', '休学', 'Suspend', 'pause', 2, `${isActive} && mode == 'view'`, [{ do: 'request', tag: 'EDU_STUDENT', method: 'update', id: '{id}', values: { status: '2', version: '{version}' } }, { do: 'message', tone: 'success', text: '{name} 已休学' }, { do: 'refresh' }]],
      ['resume', '复学', 'Resume', 'play', 2, "row.status == '2'", [{ do: 'request', tag: 'EDU_STUDENT', method: 'update', id: '{id}', values: { status: '1', version: '{version}' } }, { do: 'message', tone: 'success', text: '{name} 已复学' }, { do: 'refresh' }]],
      ['grades', '成绩', 'Grades', 'th-list', 2, null, [{ do: 'open', to: '/entity/EDU_GRADE/search?student={id}', where: 'tab' }]],
      ['gradesDetail', '查看成绩', 'Grades', 'th-list', 4, null, [{ do: 'open', to: '/entity/EDU_GRADE/search?student={id}', where: 'tab' }]],
    ],
  }),
  entity({
    no: 107, tag: 'EDU_GRADE', name: '成绩', nameEn: 'Grade', table: 'biz.grade', titled: 'term', options: { sorts: [] },
    fields: [
      ['student', '学生', 'Student', { as: 'select', ref: 'EDU_STUDENT.name', columnName: 'student_id', uses: 'LQDXAe', required: true, column: { width: 120, fixed: 'left' } }],
      ['course', '课程', 'Course', { as: 'select', ref: 'EDU_COURSE.name', columnName: 'course_id', uses: 'LQDXAe', required: true, column: { width: 220 } }],
      ['faculty', '院系', 'Faculty', { ...faculty, columnName: 'faculty_id', uses: 'LQDXAE', column: { width: 180 } }],
      ['term', '学期', 'Term', { as: 'select', dict: 'term', uses: 'LQDXAE', query: 'in', required: true, column: { width: 150 } }],
      ['score', '成绩', 'Score', { as: 'inputNumber', uses: 'LQDXAE', query: 'between', precision: 1, type: 'Number', column: { align: 'right', width: 90 } }],
      ['credit', '学分', 'Credit', { as: 'inputNumber', precision: 1, column: { align: 'right' } }], ['gradePoint', '绩点', 'Grade point', { as: 'inputNumber', precision: 1, column: { align: 'right' } }],
      ['examType', '考核方式', 'Assessment', { as: 'select', dict: 'examType', uses: 'LQDXAE' }], ['examDate', '考试日期', 'Date of exam', { as: 'date', uses: 'LQDXAE', query: 'date_range', column: { width: 110 } }],
      ['passed', '是否及格', 'Passed', { as: 'switch', uses: 'LQDXAE', default: '1', column: { align: 'center' } }], ['remarks', '备注', 'Remarks', { as: 'textarea', uses: 'DXAE', width: 100, max: 300 }], ...times,
    ],
  }),
  entity({
    no: 108, tag: 'RPT_REPORT', name: '报表', nameEn: 'Report', table: 'biz.report', titled: 'reportName', options: { sorts: [{ column: 'sort', asc: true }] },
    fields: [
      ['reportCode', '报表代码', 'Code', { uses: 'LQDXAe', required: true, max: 40, column: { width: 180 } }], ['reportName', '报表名称', 'Name', { uses: 'LQDXAE', query: 'like', required: true, max: 100, column: { width: 220 } }],
      ['reportLanguage', '语言', 'Language', { as: 'radio', dict: 'reportLanguage', uses: 'LQDXAE', required: true }], ['reportType', '类型', 'Type', { as: 'radio', dict: 'reportType', uses: 'LQDXAE', required: true }],
      ['kind', '样式', 'Layout', { as: 'select', dict: 'reportKind', required: true }], ['priceFen', '首次价格（分）', 'First price (fen)', { as: 'inputNumber', required: true, column: { align: 'right' } }],
      ['sort', '排序', 'Order', { as: 'inputNumber', default: '0', column: { align: 'right' } }], ['enabled', '是否启用', 'Enabled', { as: 'switch', uses: 'LQDXAE', default: '1', column: { align: 'center' } }], ...times,
    ],
  }),
  entity({
    no: 109, tag: 'RPT_ORDER', name: '打印订单', nameEn: 'Print order', table: 'biz.print_order', titled: 'orderNo', options: { multiSelect: false, singleSelect: true },
    fields: [
      ['orderNo', '订单号', 'Order number', { uses: 'LQDX', column: { width: 220 } }], ['student', '学生', 'Student', { as: 'select', ref: 'EDU_STUDENT.name', columnName: 'student_id', uses: 'LQDX' }], ['studentNo', '学号', 'Student number', { as: 'select', ref: 'EDU_STUDENT.studentNo', columnName: 'student_id', uses: 'LQDX', column: { width: 130 } }],
      ['report', '报表', 'Report', { as: 'select', ref: 'RPT_REPORT.reportName', columnName: 'report_id', uses: 'LQDX', column: { width: 220 } }], ['amountFen', '金额（分）', 'Amount (fen)', { as: 'inputNumber', uses: 'LDX', column: { align: 'right' } }],
      ['payType', '支付方式', 'Paid by', { as: 'select', dict: 'payType', uses: 'LQDX' }], ['state', '状态', 'State', { as: 'select', dict: 'orderState', uses: 'LQDX', query: 'in' }], ['source', '来源', 'Source', { as: 'select', dict: 'orderSource', uses: 'LQDX' }], ['paidAt', '支付时间', 'Paid at', { as: 'datetime', uses: 'LQDX', query: 'datetime_range' }],
      ['closedAt', '关闭时间', 'Closed at', { as: 'datetime', uses: 'DX' }], ['failure', '失败原因', 'Failure', { uses: 'DX' }], ['createUser', '办理人', 'Issued by', { as: 'select', ref: 'SYS_USER.name', uses: 'DX' }],
      ['createTime', '创建时间', 'Created', { as: 'datetime', uses: 'LQDX', query: 'datetime_range' }],
    ],
    buttons: [
      ['preview', '预览', 'Preview', 'document-open', 2, null, [{ do: 'open', to: '/report/{report}/preview?stuNo={studentNo.name}', where: 'drawer' }]],
      ['refund', '退款', 'Refund', 'undo', 2, "row.state == 'PAID' and row.amountFen > 0", [{ do: 'open', to: '/print/refunds?orderNo={orderNo}', where: 'tab' }]],
      ['refunds', '退款审批', 'Refunds', 'bank-account', 1, null, [{ do: 'open', to: '/print/refunds', where: 'tab' }]],
    ],
  }),
  entity({
    no: 110, tag: 'RPT_DOCUMENT', name: '签发文件', nameEn: 'Issued document', table: 'sys.document', titled: 'number', options: { multiSelect: false, singleSelect: true, sorts: [{ column: 'issuedAt', asc: false }] },
    fields: [
      ['number', '文件编号', 'Number', { uses: 'LQDX', query: 'rightLike', column: { width: 150, fixed: 'left' } }], ['kind', '样式', 'Kind', { as: 'select', dict: 'reportKind', uses: 'LQDX', column: { width: 130 } }], ['language', '语言', 'Language', { as: 'radio', dict: 'reportLanguage', uses: 'LQDX', column: { width: 90, align: 'center' } }],
      ['student', '学生', 'Student', { as: 'select', ref: 'EDU_STUDENT.name', columnName: 'student_id', uses: 'LQDX', column: { width: 120 } }], ['issuedAt', '签发时间', 'Issued', { as: 'datetime', uses: 'LQDX', query: 'datetime_range', column: { width: 170 } }],
      ['code', '验证码', 'Verification code', { uses: 'LDX', column: { width: 190 } }], ['revokedAt', '撤销时间', 'Revoked', { as: 'datetime', uses: 'LQDX', query: 'datetime_range', column: { width: 170 } }], ['revokeReason', '撤销原因', 'Reason', { uses: 'LDX', column: { width: 220 } }],
      ['revokedBy', '撤销人', 'Revoked by', { as: 'select', ref: 'SYS_USER.name', uses: 'DX' }], ['sha256', 'SHA-256 摘要', 'SHA-256 digest', { uses: 'DX', width: 100 }],
    ],
    buttons: [['verify', '核验', 'Verify', 'endorsed', 2, null, [{ do: 'open', to: '/verify/{code}', where: 'window' }]]],
  }),
]
