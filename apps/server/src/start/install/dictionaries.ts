import type { ItemTone } from '@jiaowu/api/entity/values'

type Item = readonly [code: string, name: string, nameEn: string, tone?: ItemTone]
interface Dictionary {
  readonly code: string
  readonly name: string
  readonly items: readonly Item[]
}

const years = [2021, 2022, 2023, 2024, 2025] as const
const terms: readonly Item[] = years.flatMap((year): Item[] =>
  [1, 2].map((half) => [
    `${year}-${year + 1}-${half}`,
    `${year}-${year + 1} 学年第${half === 1 ? '一' : '二'}学期`,
    `${year}/${String(year + 1).slice(2)} term ${half}`,
  ]),
)

/** The dictionaries of a new tenant, which may change them. */
export const dictionaries: readonly Dictionary[] = [
  {
    code: 'gender',
    name: '性别',
    items: [
      ['1', '男', 'Male'],
      ['2', '女', 'Female'],
    ],
  },
  {
    code: 'studentStatus',
    name: '学籍状态',
    items: [
      ['1', '在读', 'Enrolled', 'green'],
      ['2', '休学', 'Suspended', 'orange'],
      ['3', '毕业', 'Graduated', 'blue'],
      ['4', '退学', 'Withdrawn', 'red'],
    ],
  },
  {
    code: 'political',
    name: '政治面貌',
    items: [
      ['01', '中共党员', 'CPC member'],
      ['02', '中共预备党员', 'Probationary CPC member'],
      ['03', '共青团员', 'Youth League member'],
      ['13', '群众', 'None'],
    ],
  },
  {
    code: 'nation',
    name: '民族',
    items: [
      ['01', '汉族', 'Han'],
      ['02', '蒙古族', 'Mongol'],
      ['03', '回族', 'Hui'],
      ['04', '藏族', 'Tibetan'],
      ['05', '维吾尔族', 'Uyghur'],
      ['06', '苗族', 'Miao'],
      ['07', '彝族', 'Yi'],
      ['08', '壮族', 'Zhuang'],
      ['11', '满族', 'Manchu'],
      ['15', '土家族', 'Tujia'],
    ],
  },
  {
    code: 'degree',
    name: '学位类别',
    items: [
      ['engineering', '工学', 'Engineering'],
      ['science', '理学', 'Science'],
      ['arts', '文学', 'Arts'],
      ['economics', '经济学', 'Economics'],
      ['management', '管理学', 'Management'],
      ['law', '法学', 'Law'],
    ],
  },
  {
    code: 'teacherTitle',
    name: '职称',
    items: [
      ['professor', '教授', 'Professor'],
      ['associate', '副教授', 'Associate professor'],
      ['lecturer', '讲师', 'Lecturer'],
      ['assistant', '助教', 'Assistant'],
    ],
  },
  {
    code: 'courseNature',
    name: '课程性质',
    items: [
      ['required', '必修', 'Required'],
      ['limited', '限选', 'Restricted elective'],
      ['elective', '任选', 'Free elective'],
      ['practice', '实践', 'Practice'],
    ],
  },
  {
    code: 'examType',
    name: '考核方式',
    items: [
      ['exam', '考试', 'Exam'],
      ['check', '考查', 'Assessment'],
      ['retake', '补考', 'Resit'],
    ],
  },
  { code: 'term', name: '学期', items: terms },
  {
    code: 'language',
    name: '外语语种',
    items: [
      ['en', '英语', 'English'],
      ['ja', '日语', 'Japanese'],
      ['ru', '俄语', 'Russian'],
      ['de', '德语', 'German'],
      ['fr', '法语', 'French'],
      ['es', '西班牙语', 'Spanish'],
    ],
  },
  {
    code: 'interest',
    name: '兴趣特长',
    items: [
      ['basketball', '篮球', 'Basketball'],
      ['football', '足球', 'Football'],
      ['swim', '游泳', 'Swimming'],
      ['music', '音乐', 'Music'],
      ['painting', '绘画', 'Painting'],
      ['calligraphy', '书法', 'Calligraphy'],
      ['go', '围棋', 'Go'],
      ['reading', '阅读', 'Reading'],
    ],
  },
  {
    code: 'noticeStatus',
    name: '公告状态',
    items: [
      ['0', '已发布', 'Published'],
      ['1', '草稿', 'Draft'],
    ],
  },
  {
    code: 'reportLanguage',
    name: '报表语言',
    items: [
      ['zh', '中文', 'Chinese'],
      ['en', '英文', 'English'],
    ],
  },
  {
    code: 'reportType',
    name: '报表类型',
    items: [
      ['transcript', '成绩单', 'Transcript'],
      ['proof', '证明文件', 'Proof document'],
    ],
  },
  {
    code: 'reportKind',
    name: '报表样式',
    items: [
      ['transcript', '成绩单', 'Transcript'],
      ['enrolled', '在读证明', 'Proof of enrolment'],
      ['conversion', '成绩转换证明', 'Transcript conversion proof'],
      ['other', '其他证明', 'Other proof'],
    ],
  },
  {
    code: 'payType',
    name: '支付方式',
    items: [
      ['wechat', '微信支付', 'WeChat Pay'],
      ['alipay', '支付宝', 'Alipay'],
      ['free', '免费', 'Free'],
    ],
  },
  {
    code: 'orderState',
    name: '订单状态',
    items: [
      ['NEW', '新建', 'New', 'blue'],
      ['FREE', '免费', 'Free', 'green'],
      ['CREATING', '下单中', 'Creating', 'blue'],
      ['PENDING', '待支付', 'Pending', 'orange'],
      ['CLOSING', '关闭中', 'Closing', 'grey'],
      ['PAID', '已支付', 'Paid', 'green'],
      ['CLOSED', '已关闭', 'Closed', 'grey'],
      ['FAILED', '失败', 'Failed', 'red'],
      ['REFUND_DUE', '待退款', 'Refund due', 'orange'],
      ['REFUNDING', '退款中', 'Refunding', 'orange'],
      ['REFUNDED', '已退款', 'Refunded', 'grey'],
    ],
  },
  {
    code: 'itemTone',
    name: '颜色',
    items: [
      ['green', '绿', 'Green', 'green'],
      ['blue', '蓝', 'Blue', 'blue'],
      ['orange', '橙', 'Orange', 'orange'],
      ['red', '红', 'Red', 'red'],
      ['grey', '灰', 'Grey', 'grey'],
    ],
  },
  {
    code: 'orderSource',
    name: '订单来源',
    items: [
      ['student', '学生自助', 'Student'],
      ['staff', '教务办理', 'Registrar'],
    ],
  },
  {
    code: 'smsStatus',
    name: '短信状态',
    items: [
      ['0', '待发送', 'Waiting'],
      ['1', '已发送', 'Sent'],
      ['2', '失败', 'Failed'],
    ],
  },
  {
    code: 'messageStatus',
    name: '消息状态',
    items: [
      ['0', '未读', 'Unread'],
      ['1', '已读', 'Read'],
    ],
  },
]
