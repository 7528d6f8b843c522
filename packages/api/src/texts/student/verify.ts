import { group } from '../group.ts'

// docs/rules/contract.md#student-service, docs/rules/security.md#files: the public page that the QR
// code opens
export const verifyTexts = group({
  'verify.title': ['文件核验', 'Verify a document'],
  'verify.lead': [
    '输入文件上的 16 位验证码，核对它是否由学校签发、是否仍然有效。',
    'Enter the 16-character code on the document to see whether the school issued it and whether it still stands.',
  ],
  'verify.code': ['验证码', 'Verification code'],
  'verify.codeHint': [
    '不区分大小写，字母 O 与数字 0、I 与 1 均可。',
    'Upper or lower case; O for 0 and I for 1 will do.',
  ],
  'verify.codeBad': ['验证码应为 16 位字母和数字', 'The code has 16 letters and digits'],
  'verify.check': ['核验', 'Verify'],
  'verify.checking': ['正在核验', 'Checking'],
  'verify.valid': ['文件有效', 'This document is valid'],
  'verify.validText': [
    '{school}于 {date} 签发。请将下列信息与文件逐项对照。',
    'Issued by {school} on {date}. Compare the details below with the document.',
  ],
  'verify.revoked': ['文件已撤销', 'This document has been revoked'],
  'verify.revokedText': [
    '{school}已于 {date} 撤销该文件，它不再有效。',
    '{school} revoked this document on {date}. It is no longer valid.',
  ],
  'verify.unknown': ['查无此文件', 'No such document'],
  'verify.unknownText': [
    '没有签发过验证码为 {code} 的文件。请核对验证码；若无误，请勿采信该文件，并与学校教务处联系。',
    'No document was issued under the code {code}. Check the code; if it is right, do not rely on the document and ask the registrar of the school.',
  ],
  'verify.failed': ['暂时无法核验', 'The check did not work'],
  'verify.document': ['文件', 'Document'],
  'verify.number': ['编号', 'Number'],
  'verify.holder': ['持有人', 'Holder'],
  'verify.studentNo': ['学号', 'Student No.'],
  'verify.issuedAt': ['签发日期', 'Issued on'],
  'verify.digest': ['SHA-256 摘要', 'SHA-256 digest'],
  'verify.size': ['文件大小', 'Size'],
  'verify.inZh': ['{title}（中文）', '{title} (in Chinese)'],
  'verify.inEn': ['{title}（英文）', '{title} (in English)'],
  'verify.masked': [
    '姓名与学号仅显示首尾，以保护个人信息。',
    'Name and number show only their ends, to protect the person.',
  ],
  'verify.file': ['核对电子文件', 'Check the file'],
  'verify.fileText': [
    '把收到的 PDF 拖到这里，或点击选择。摘要在本机计算，文件不会上传。',
    'Drop the PDF you received here, or choose it. The digest is computed on this device; nothing is uploaded.',
  ],
  'verify.fileReading': ['正在计算 {name} 的摘要', 'Computing the digest of {name}'],
  'verify.same': ['与签发的文件完全一致', 'Identical to the file that was issued'],
  'verify.sameText': [
    '{name} 的每一个字节都与签发时相同。',
    'Every byte of {name} is as it was issued.',
  ],
  'verify.sameRevoked': [
    '{name} 与签发时相同，但该文件已被撤销。',
    '{name} is as it was issued, but the document has been revoked.',
  ],
  'verify.different': ['与签发的文件不一致', 'Not the file that was issued'],
  'verify.differentText': [
    '{name} 被改动过，或不是这份文件。请向持有人索取原始电子文件。',
    '{name} was altered, or is another file. Ask the holder for the original file.',
  ],
  'verify.differentShort': [
    '{name} 不是签发的编号 {number} 的文件，请勿采信。',
    '{name} is not the file issued under No. {number}. Do not rely on it.',
  ],
  'verify.fileTooLarge': [
    '{name} 太大，不可能是签发的文件',
    '{name} is too large to be an issued document',
  ],
  'verify.revoke': ['撤销该文件', 'Revoke this document'],
  'verify.revokeText': [
    '撤销后无法恢复：核验页将立即显示“已撤销”，学生也不能再下载此文件。',
    'This cannot be undone: the page will say so at once, and the student can no longer download it.',
  ],
  'verify.revokeReason': ['撤销原因', 'Reason'],
  'verify.revokeDone': ['文件 {number} 已撤销', 'Document {number} is revoked'],
  'verify.reasonShort': ['请写明原因（至少 2 个字）', 'Give a reason (at least 2 characters)'],
})
