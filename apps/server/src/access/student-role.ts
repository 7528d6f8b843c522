/** The role of students, without any permission (docs/rules/security.md#permissions). */
export const studentRole = 'ROLE_STUDENT'
