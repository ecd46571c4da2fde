-- Ranklark's PostgreSQL role: it owns one database and can do nothing else. compose.yaml runs this automatically on a new
-- cluster; elsewhere run it as superuser: psql -v password=… -f deploy/postgres-role.sql
CREATE ROLE ranklark LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE ranklark OWNER ranklark;
-- No other role can connect to that database, and Ranklark cannot connect to others.
REVOKE ALL ON DATABASE ranklark FROM PUBLIC;
REVOKE ALL ON DATABASE postgres FROM PUBLIC;
REVOKE ALL ON DATABASE template1 FROM PUBLIC;
