{{head}}
import androidx.test.platform.app.InstrumentationRegistry
import androidx.test.uiautomator.By
import androidx.test.uiautomator.UiDevice
import androidx.test.uiautomator.Until
import org.junit.Assert.assertNull
import org.junit.Test

class ReproductionTest {
    private val device = UiDevice.getInstance(InstrumentationRegistry.getInstrumentation())

    @Test
    fun theCallGetsAToken() {
        val context = InstrumentationRegistry.getInstrumentation().context
        val packageName = {{bundleID}}
        context.startActivity(context.packageManager.getLaunchIntentForPackage(packageName))
        device.wait(Until.findObject(By.text("Sign in")), 10_000).click()
        device.wait(Until.findObject(By.res("i0116")), 10_000).text = {{username}}
        device.findObject(By.res("idSIButton9")).click()
        device.wait(Until.findObject(By.res("i0118")), 10_000).text = {{password}}
        device.findObject(By.res("idSIButton9")).click()
        device.wait(Until.findObject(By.res("idSIButton9")), 5_000)?.click()
        assertNull(device.findObject(By.textContains("AADSTS")))
    }
}
