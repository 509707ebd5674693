@echo off
node --max-semi-space-size=2 --v8-pool-size=1 "%~dp0..\dist\provider\host\start.js" %*
