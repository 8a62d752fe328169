import SSOCore
import SSOReading
import Testing

/// Crashes during a sign-in: the exception, its reason, and the first function outside the system are named.
@Suite struct CrashReportTests {
  @Test(arguments: [
    PrintedSample(
      "Crashlytics, an exception without a reason",
      "NSRangeException, in +[OIDLampService light:] (OIDLampService.m:7)",
      """
      Fatal Exception: NSRangeException
      0  CoreFoundation                 0x1a05c __exceptionPreprocess
      1  libobjc.A.dylib                0x25f54 objc_exception_throw
      2  CFNetwork                      0x69c4 CFLampCopy
      3  Lamps                          0xb680 +[OIDLampService light:] + 7 (OIDLampService.m:7)
      """),
    PrintedSample(
      "the thread that crashed, without the exception", "A crash, in -[OIDLamp light:]",
      """
      Thread 4 name:  Dispatch queue: lamp
      Thread 4 Crashed:
      0   libsystem_kernel.dylib        \t0x00000001b0c0de00 __pthread_kill + 8
      1   AppAuth                       \t0x0000000104c0de00 -[OIDLamp light:] + 44
      """),
    PrintedSample(
      "a report of macOS between sentences", "EXC_CRASH (SIGABRT), in -[OIDLamp light:]",
      """
      The lamp of the oauth app

      Exception Type:  EXC_CRASH (SIGABRT)
      Exception Codes: 0x0000000000000000, 0x0000000000000000
      Triggered by Thread:  0

      Thread 0 Crashed:
      0   libsystem_kernel.dylib        \t0x00000001b0c0de00 __pthread_kill + 8
      1   AppAuth                       \t0x0000000104c0de00 -[OIDLamp light:] + 44
      """),
    PrintedSample(
      "a single frame below the heading of a stack", "A crash, in -[RNAppAuthLamp light:wick:]",
      """
      # The lamp crashes when it is lit

      I did all of the steps.

      Stack Trace

      -[RNAppAuthLamp light:wick:] + 1680 (RNAppAuthLamp.m:3)
      """),
    PrintedSample(
      "the report of a simulator", "SIGABRT",
      """
      We see that the oauth lamp crashes with this log:

      `Jan 11 10:45:49 hall com.apple.CoreSimulator.SimDevice.9C7C[2] (UIKitApplication:lamp[c0e8][29095]): Service exited due to SIGABRT
      `
      """),
    PrintedSample(
      "a part of a report in JSON", "EXC_CRASH (SIGABRT), in -[OIDLamp lightWithURL:] (OIDLamp.m:3)",
      """
      # The lamp opens the sign-in and then crashes

      ```
        "sip" : "enabled",
        "exception" : {"codes":"0x0000000000000000, 0x0000000000000000","rawCodes":[0,0],"type":"EXC_CRASH","signal":"SIGABRT"},
        "extMods" : {"caller":{"thread_create":0}},
        "lastExceptionBacktrace" : [{"imageOffset":1,"symbol":"objc_exception_throw","imageIndex":1},{"imageOffset":4,"sourceLine":3,"sourceFile":"OIDLamp.m","symbol":"-[OIDLamp lightWithURL:]","imageIndex":2}],
        "wakeTime" : 1
      ```
      """),
    PrintedSample(
      "a report below the headings of a template",
      "EXC_BREAKPOINT (5), in -[MSIDLamp light:]",
      """
      # Crash of the lamp

      ### MSAL Version

      1.5.0

      ### Description

      Several crash logs

      ### Error Details

      ```{
      Exception Type:  EXC_BREAKPOINT (5)
      Crashed Thread:  54

      Thread 54 Crashed:
      0   CoreFoundation                  0x0000000191a50938 __CFStringAppendFormatCore + 7148
      1   MSAL                            0x000000010f27bd34 -[MSIDLamp light:] + 188
      """),
    PrintedSample(
      "Crashlytics, a block of a library that the app called",
      "EXC_BAD_ACCESS KERN_INVALID_ADDRESS 0x0000000000000020, in -[MSIDLamp light:] (MSIDLamp.m:12), called by LampStore.light",
      """
      Crashed: com.apple.main-thread
      EXC_BAD_ACCESS KERN_INVALID_ADDRESS 0x0000000000000020
      0  MSAL                           0x9dc04 __17-[MSIDLamp light:]_block_invoke + 12 (MSIDLamp.m:12)
      1  Lamps                          0x9e9e0 LampStore.light + 3 (LampStore.swift:3)
      """),
    PrintedSample(
      "the run time of Swift, with the file in the line",
      "Fatal error: Unexpectedly found nil while unwrapping an Optional value, at Lamps/MSALLamp.swift:57",
      """
      openSignIn("microsoft.com")
      Error:
      Unexpectedly found nil while unwrapping an Optional value: file Lamps/MSALLamp.swift, line 57
      """),
    PrintedSample(
      "an uncaught exception below MSAL's log", "NSInvalidArgumentException: lamp parameter is nil",
      """
      TID=44 MSAL 1.2.9 iOS 16.1.1 [2026-02-24 14:46:36] Handling broker response.
      2026-02-24 20:16:40.945775+0530 Lamps[33:44] *** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: 'lamp parameter is nil'
      """),
    PrintedSample(
      "frames alone",
      "an exception in com.microsoft.aad.msal4j.Lamp.light, whose first line is not in the text",
      """
      Timestamp: 2026-04-07 07:45:36Z
              at com.microsoft.aad.msal4j.Lamp.light(Lamp.java:39)
              at com.microsoft.aad.msal4j.Wick.burn(Wick.java:103)
      """),
  ])
  func crashIsNamed(_ sample: PrintedSample) throws {
    let verdict = try #require(readLog(sample.text + "\n").verdict)
    #expect(verdict.cause == sample.cause)
  }

  /// Auth.js has a code of the same letters.
  @Test func theMemberThatJavaScriptReadsIsNotACode() {
    let text =
      "Uncaught (in promise) TypeError: Cannot read properties of undefined (reading 'oauthSignIn')\n"
    #expect(readLog(text).verdict?.cause?.lowercased() != "oauthsignin")
  }

  @Test func crashOfAnotherAppIsNotAboutASignIn() {
    let text = """
      Fatal Exception: NSRangeException
      0  CoreFoundation                 0x1a05c __exceptionPreprocess
      1  Lamps                          0xb680 -[LampView light:] + 7 (LampView.m:7)
      """
    #expect(readLog(text + "\n").assertsNothing)
  }
}
