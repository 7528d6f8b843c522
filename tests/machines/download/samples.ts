import type {
  CodeStatus,
  PrintOrder,
  ReportItem,
  SchoolInfo,
  StudentDetail,
} from '@jiaowu/api/contract/student/student'
import type { DownloadFacts } from '@jiaowu/machines/download/ports'

export const student: StudentDetail = {
  fldXm: '甲',
  fldXh: 'S1',
  fldSfzjh: '1****************1',
  fldYxsh: '院',
  fldZymc: '专业',
  fldBjmc: '班',
}
/** Facts of the pages about the school. */
export const school: SchoolInfo = {
  schoolName: '大学',
  schoolSite: '',
  registrarSite: '',
  contactAddress: '',
  feeNotice: '',
  payDriver: 'sandbox',
}
/** One of each language and type, crossed. */
export const reports: readonly ReportItem[] = [
  buildReportItem('1', 'zh', 'transcript'),
  buildReportItem('2', 'en', 'proof'),
]

function buildReportItem(
  id: string,
  reportLanguage: ReportItem['reportLanguage'],
  reportType: ReportItem['reportType'],
): ReportItem {
  return {
    id,
    fldid: id,
    reportCode: `C${id}`,
    reportName: `n${id}`,
    reportLanguage,
    reportType,
    owned: false,
    orderNo: null,
  }
}

export function buildPrintOrder(
  orderNo: string,
  code_status: CodeStatus,
  expires_in = 180,
): PrintOrder {
  return {
    orderNo,
    code_status,
    code_url: code_status === '0' ? `weixin://${orderNo}` : null,
    amount: code_status === '0' ? 5 : 0,
    expires_in,
  }
}

export const says = (code_status: CodeStatus) => ({ ok: true, output: { code_status } }) as const

export function facts(deadline: number, paid: boolean, account = '13800000001'): DownloadFacts {
  return {
    version: 1,
    account,
    report: { id: '1', reportName: 'n1' },
    order: { orderNo: 'order0', codeUrl: 'weixin://order0', amount: 5, deadline },
    paid,
  }
}
