import { ofSql } from './of-sql.ts'

/** Deleting a property looks for people who have it selected. */
export const selectedProperties = ofSql('CREATE INDEX people_selected_property ON people (selected_property_id)')
