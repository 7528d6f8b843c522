import { courseNameEn, latinName } from './latin-names.ts'
import { type Random, createRandom } from './random.ts'

export interface Faculty {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly nameEn: string
  readonly majors: readonly (readonly [name: string, nameEn: string])[]
  readonly degree: string
}

/** 6 faculties with 4 majors each (docs/rules/contract.md#demo-data). */
const facultyLines: readonly (readonly [
  code: string,
  name: string,
  nameEn: string,
  degree: string,
  majors: Faculty['majors'],
])[] = [
  [
    '01',
    '信息工程学院',
    'School of Information Engineering',
    'engineering',
    [
      ['计算机科学与技术', 'Computer Science and Technology'],
      ['软件工程', 'Software Engineering'],
      ['人工智能', 'Artificial Intelligence'],
      ['网络空间安全', 'Cyberspace Security'],
    ],
  ],
  [
    '02',
    '机械与动力学院',
    'School of Mechanical and Power Engineering',
    'engineering',
    [
      ['机械设计制造及其自动化', 'Mechanical Design and Automation'],
      ['车辆工程', 'Vehicle Engineering'],
      ['能源与动力工程', 'Energy and Power Engineering'],
      ['工业设计', 'Industrial Design'],
    ],
  ],
  [
    '03',
    '数理学院',
    'School of Mathematics and Physics',
    'science',
    [
      ['数学与应用数学', 'Mathematics and Applied Mathematics'],
      ['统计学', 'Statistics'],
      ['应用物理学', 'Applied Physics'],
      ['数据科学与大数据技术', 'Data Science and Big Data Technology'],
    ],
  ],
  [
    '04',
    '经济管理学院',
    'School of Economics and Management',
    'management',
    [
      ['会计学', 'Accounting'],
      ['工商管理', 'Business Administration'],
      ['金融学', 'Finance'],
      ['信息管理与信息系统', 'Information Management and Information Systems'],
    ],
  ],
  [
    '05',
    '外国语学院',
    'School of Foreign Languages',
    'arts',
    [
      ['英语', 'English'],
      ['日语', 'Japanese'],
      ['翻译', 'Translation'],
      ['商务英语', 'Business English'],
    ],
  ],
  [
    '06',
    '法学院',
    'School of Law',
    'law',
    [
      ['法学', 'Law'],
      ['知识产权', 'Intellectual Property'],
      ['社会工作', 'Social Work'],
      ['行政管理', 'Public Administration'],
    ],
  ],
]

export function faculties(base: number): Faculty[] {
  return facultyLines.map(([code, name, nameEn, degree, majors], i) => ({
    id: base + 1101 + i,
    code,
    name,
    nameEn,
    degree,
    majors,
  }))
}

const surnames = [
  ...'王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴',
]
const given = {
  1: [...'伟强磊军洋勇杰涛明超刚平辉鹏华飞鑫波斌宇浩凯健俊帆旭宁龙林翔晨峰泽瑞轩博文昊天睿志远'],
  2: [...'芳娜敏静丽艳娟霞秀英玲婷雪颖琳慧莹洁梅萍红玉兰燕妍倩欣怡佳梦瑶琪悦涵诗雨晴彤月宁子萱若'],
} as const
const provinces = [
  '110105',
  '120103',
  '130104',
  '210102',
  '310104',
  '320106',
  '330106',
  '340104',
  '350203',
  '370102',
  '410105',
  '420106',
  '430104',
  '440106',
  '440305',
  '500103',
  '510107',
  '610113',
]

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** The check character of a citizen ID (GB 11643). */
function checkDigit(first17: string): string {
  return (
    '10X98765432'[
      [...first17].reduce((sum, digit, i) => sum + Number(digit) * (weights[i] ?? 0), 0) % 11
    ] ?? '0'
  )
}

const pad = (n: number, digits: number) => String(n).padStart(digits, '0')

export function personName(random: Random, gender: 1 | 2): string {
  return (
    random.pick(surnames) +
    random.pick(given[gender]) +
    (random.below(4) === 0 ? '' : random.pick(given[gender]))
  )
}

export interface Student {
  readonly id: number
  readonly no: string
  readonly name: string
  readonly nameEn: string
  readonly idCard: string
  readonly gender: 1 | 2
  readonly birth: string
  readonly nation: string
  readonly political: string
  readonly faculty: number
  readonly major: number
  readonly class: number
  readonly year: number
  readonly status: string
  readonly mobile: string
  readonly email: string
  readonly dormitory: string
  readonly interests: readonly string[]
  readonly languages: readonly string[]
  readonly height: number
  readonly accountMobile: string | null
}

const slots = 499 * 28 * 12 * provinces.length

const enrolYears = [2022, 2023, 2024, 2025] as const

/** The `index`-th student of a school, the same in every run. Students are spread evenly over 96 classes. */
export function buildStudent(index: number, base: number, accounts: number): Student {
  const random = createRandom(base + index * 7919 + 17)
  const classIndex = index % 96
  const majorIndex = Math.floor(classIndex / 4)
  const year = enrolYears[classIndex % 4] ?? 2022
  const gender: 1 | 2 = random.below(2) === 0 ? 1 : 2
  const { province, month, dayOfMonth, pair } = findSlot(index)
  const birth = `${year - 18 - random.below(2)}${pad(month, 2)}${pad(dayOfMonth, 2)}`
  const first17 = `${province}${birth}${pad(pair * 2 + (gender === 1 ? 1 : 2), 3)}`
  const name = personName(random, gender)
  const no = `${year}${pad(Math.floor(majorIndex / 4) + 1, 2)}${pad(index, index > 9999 ? 7 : 4)}`
  return {
    id: base + 4_000_001 + index,
    no,
    name,
    nameEn: latinName(name),
    idCard: first17 + checkDigit(first17),
    gender,
    birth: `${birth.slice(0, 4)}-${birth.slice(4, 6)}-${birth.slice(6)}`,
    nation: random.below(10) === 0 ? random.pick(['03', '08', '11', '15']) : '01',
    political: random.pick(['03', '03', '03', '01', '13']),
    faculty: base + 1101 + Math.floor(majorIndex / 4),
    major: base + 1201 + majorIndex,
    class: base + 1301 + classIndex,
    year,
    status: index % 40 === 39 ? '2' : index % 97 === 96 ? '4' : '1',
    mobile: `1${random.pick(['39', '58', '86', '77', '31'])}${pad(random.below(100_000_000), 8)}`,
    email: `s${no}@stu.example.edu.cn`,
    dormitory: `${1 + random.below(12)} 号楼 ${101 + random.below(500)}`,
    interests: random.some(
      ['basketball', 'football', 'swim', 'music', 'painting', 'calligraphy', 'go', 'reading'],
      3,
    ),
    languages: random.some(['en', 'ja', 'ru', 'de', 'fr'], 2),
    height: Math.round(random.bell(gender === 1 ? 174 : 162, 9) * 10) / 10,
    accountMobile: index < accounts ? `138${pad(index + 1, 8)}` : null,
  }
}

/** A unique combination of birthplace, birthday and sequence number for up to 3 million students. */
function findSlot(index: number) {
  // 1,000,003 is prime, so every slot occurs once.
  const slot = (index * 1_000_003) % slots
  return {
    pair: slot % 499,
    dayOfMonth: 1 + (Math.floor(slot / 499) % 28),
    month: 1 + (Math.floor(slot / (499 * 28)) % 12),
    province: provinces[Math.floor(slot / (499 * 28 * 12))] ?? '110105',
  }
}

const courseWords = [
  '高等数学',
  '线性代数',
  '概率论',
  '大学物理',
  '大学英语',
  '程序设计',
  '数据结构',
  '操作系统',
  '计算机网络',
  '数据库原理',
  '机械原理',
  '工程制图',
  '热力学',
  '统计学',
  '微观经济学',
  '会计学原理',
  '管理学',
  '法理学',
  '民法',
  '翻译理论',
  '文学概论',
  '体育',
  '思想道德与法治',
  '写作',
  '艺术鉴赏',
]
const courseParts = [
  '',
  'A',
  'B',
  '（一）',
  '（二）',
  '实验',
  '导论',
  '专题',
  '进阶',
  '案例',
  '研讨',
  '综合设计',
]
export interface Course {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly nameEn: string
  readonly faculty: number
  readonly teacher: number
  readonly nature: string
  readonly credit: number
  readonly exam: string
}

export function course(index: number, base: number): Course {
  const random = createRandom(base + index * 31 + 5)
  const faculty = index % 6
  const [word, part] = [courseWords[index % 25] ?? '', courseParts[Math.floor(index / 25)] ?? '']
  return {
    id: base + 30_001 + index,
    code: `C${pad(index + 1, 4)}`,
    name: `${word}${part}`,
    nameEn: courseNameEn(word, part),
    faculty: base + 1101 + faculty,
    teacher: base + 20_001 + faculty + 6 * random.below(20),
    nature: random.pick(['required', 'required', 'limited', 'elective', 'practice']),
    credit: random.pick([1, 1.5, 2, 2.5, 3, 3.5, 4]),
    exam: random.below(3) === 0 ? 'check' : 'exam',
  }
}

export interface Grade {
  readonly id: number
  readonly student: number
  readonly course: number
  readonly faculty: number
  readonly term: string
  readonly score: number
  readonly credit: number
  readonly point: number
  readonly exam: string
  readonly date: string
}

/** The grades of one student in `each` different courses over the terms so far. */
export function buildGrades(
  of: Student,
  index: number,
  each: number,
  courses: readonly Course[],
  base: number,
): Grade[] {
  const random = createRandom(base + index * 104_729 + 3)
  const start = random.below(courses.length)
  const ability = random.bell(76, 9)
  return Array.from({ length: each }, (_none, k) => {
    const taken = courses[(start + k * 7) % courses.length] as Course
    const [half, year] = [(k % 2) + 1, Math.min(2025, of.year + Math.floor((k * 4) / each / 1.01))]
    const score = Math.max(12, Math.min(100, Math.round(random.bell(ability, 14) * 2) / 2))
    return {
      id: base + 50_000_001 + index * each + k,
      student: of.id,
      course: taken.id,
      faculty: of.faculty,
      term: `${year}-${year + 1}-${half}`,
      score,
      credit: taken.credit,
      point: score < 60 ? 0 : Math.round(score - 50) / 10,
      exam: taken.exam,
      date: `${year + 1}-${half === 1 ? '01' : '06'}-${pad(8 + random.below(18), 2)}`,
    }
  })
}
