import { builtIn } from '../model/shipped/index.ts'

/** A page that is not the list of an entity; needs a permission. */
interface MenuPage {
  readonly name: string
  readonly nameEn: string
  readonly icon: string
  readonly path: string
  readonly permission: string
}
interface Branch {
  readonly name: string
  readonly nameEn: string
  readonly icon: string
  readonly leaves: readonly (readonly [tag: string, icon: string])[]
  readonly pages?: readonly MenuPage[]
}

/** The menu of a new tenant. Icons are names of Blueprint icons. */
export const branches: readonly Branch[] = [
  {
    name: '教学管理',
    nameEn: 'Teaching',
    icon: 'learning',
    leaves: [
      ['EDU_STUDENT', 'people'],
      ['EDU_GRADE', 'chart'],
      ['EDU_COURSE', 'book'],
      ['EDU_TEACHER', 'person'],
      ['EDU_CLASS', 'diagram-tree'],
      ['EDU_MAJOR', 'properties'],
      ['EDU_FACULTY', 'office'],
      ['EDU_GRADE_CHANGE', 'confirm'],
      ['EDU_STATUS_CHANGE', 'swap-horizontal'],
      ['EDU_DEFERRAL', 'time'],
    ],
    pages: [
      {
        name: '成绩录入',
        nameEn: 'Enter grades',
        icon: 'list',
        path: '/entity/EDU_GRADE/entry',
        permission: 'entity:EDU_GRADE:update',
      },
    ],
  },
  {
    name: '报表服务',
    nameEn: 'Reports',
    icon: 'document',
    leaves: [
      ['RPT_REPORT', 'document'],
      ['RPT_ORDER', 'shopping-cart'],
      ['RPT_DOCUMENT', 'endorsed'],
      ['RPT_REGISTRATION', 'mobile-phone'],
    ],
    pages: [
      {
        name: '退款审批',
        nameEn: 'Refunds',
        icon: 'bank-account',
        path: '/print/refunds',
        permission: 'pay:refund',
      },
      {
        name: '对账差异',
        nameEn: 'Bill differences',
        icon: 'comparison',
        path: '/print/reconciliation',
        permission: 'pay:refund',
      },
    ],
  },
  {
    name: '组织与权限',
    nameEn: 'People',
    icon: 'shield',
    leaves: [
      ['SYS_USER', 'user'],
      ['SYS_ROLE', 'key'],
      ['SYS_ORG', 'diagram-tree'],
      ['SYS_STATION', 'briefcase'],
      ['SYS_TENANT', 'globe-network'],
    ],
    pages: [
      {
        name: '租户管理',
        nameEn: 'Schools',
        icon: 'office',
        path: '/tenants',
        permission: 'tenant:manage',
      },
    ],
  },
  {
    name: '系统设置',
    nameEn: 'Settings',
    icon: 'cog',
    leaves: [
      ['SYS_MENU', 'menu'],
      ['SYS_DICT', 'manual'],
      ['SYS_DICT_ITEM', 'list'],
      ['SYS_AREA', 'map'],
      ['SYS_PARAM', 'wrench'],
      ['SYS_CALENDAR_DAY', 'calendar'],
      ['SYS_APPLICATION', 'application'],
      ['SYS_API', 'code'],
    ],
    pages: [
      {
        name: '字典预览',
        nameEn: 'Dictionary preview',
        icon: 'manual',
        path: '/dictionary/preview',
        permission: 'entity:SYS_DICT_ITEM:view',
      },
      {
        name: '实体配置',
        nameEn: 'Entities',
        icon: 'wrench',
        path: '/entity/config',
        permission: 'entity:design',
      },
    ],
  },
  {
    name: '消息与日志',
    nameEn: 'Records',
    icon: 'inbox',
    leaves: [
      ['SYS_NOTICE', 'notifications'],
      ['SYS_MESSAGE', 'envelope'],
      ['SYS_SMS_TEMPLATE', 'mobile-phone'],
      ['SYS_SMS_TASK', 'send-message'],
      ['SYS_ATTACHMENT', 'paperclip'],
      ['SYS_LOG', 'history'],
    ],
    pages: [
      {
        name: '后台任务',
        nameEn: 'Jobs',
        icon: 'automatic-updates',
        path: '/jobs',
        permission: 'job:view',
      },
    ],
  },
]

/** The permission that a page needs; null when the roles of its menu entry suffice. */
export function pagePermission(path: string): string | null {
  return (
    branches.flatMap(({ pages = [] }) => pages).find((page) => page.path === path)?.permission ??
    null
  )
}

/** The name of a menu entry, which is that of its entity. */
export function leafName(tag: string): { name: string; nameEn: string } {
  const found = builtIn.find((entity) => entity.tag === tag)
  return { name: found?.name ?? tag, nameEn: found?.nameEn ?? tag }
}
/** The list of an entity (docs/spec/2-student-service-and-designer.md §2). */
export const listPath = (tag: string): string => `/entity/${tag}/search`
